// Stochastic oscillator: %K = (C₀ − min L)/(max H − min L) · 100 over n days, and %D, its mean over 3 days.

import { windowRange } from '../arithmetic/window-range.ts';
import type { Kernel, Outputs, Series } from '../kernel.ts';

const MEAN_DAYS = 3;

/** Missing without a full window of highs and lows, or if they are equal. */
export const kernel: Kernel = (series, first, lengths, out, row) => {
  for (let k = 0; k < lengths.length; k++) {
    for (const values of out[k]!) values.fill(Number.NaN, row, row + series.end - first);
    oscillate(series, lengths[k]!, first, out[k]!, row - first);
  }
};

/** A day is written to the row `shift` further. */
function oscillate(series: Series, length: number, first: number, out: Outputs, shift: number): void {
  const { closes, highs, lows, end } = series;
  const [positions, means] = out;
  const from = Math.max(length - 1, first - MEAN_DAYS + 1);
  if (from >= end) return;
  const { lowest, highest } = windowRange(lows, highs, length, from, end);
  let before = Number.NaN;
  let beforeThat = Number.NaN;
  for (let day = from; day < end; day++) {
    const low = lowest[day - from]!;
    const range = highest[day - from]! - low;
    const value = range > 0 ? ((closes[day]! - low) / range) * 100 : Number.NaN;
    if (day >= first) {
      positions[day + shift] = value;
      means[day + shift] = (value + before + beforeThat) / MEAN_DAYS;
    }
    beforeThat = before;
    before = value;
  }
}

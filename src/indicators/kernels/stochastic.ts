// Stochastic oscillator: %K = (C₀ − min L)/(max H − min L) · 100 over n days, and %D, its mean over 3 days.

import type { Kernel, Series } from '../kernel.ts';

const MEAN_DAYS = 3;

/** Missing without a full window of highs and lows, or if they are equal. */
export const kernel: Kernel = (series, first, lengths, out, row) => {
  for (let k = 0; k < lengths.length; k++) {
    const length = lengths[k]!;
    const [positions, means] = out[k]!;
    let before = valueAt(series, length, first - 1);
    let beforeThat = valueAt(series, length, first - 2);
    for (let day = first; day < series.end; day++) {
      const value = valueAt(series, length, day);
      positions[row + day - first] = value;
      means[row + day - first] = (value + before + beforeThat) / MEAN_DAYS;
      beforeThat = before;
      before = value;
    }
  }
};

function valueAt({ highs, lows, closes }: Series, length: number, day: number): number {
  if (day < length - 1) return Number.NaN;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = day - length + 1; i <= day; i++) {
    // NaN as soon as one is missing.
    lowest = Math.min(lowest, lows[i]!);
    highest = Math.max(highest, highs[i]!);
  }
  const range = highest - lowest;
  return range > 0 ? ((closes[day]! - lowest) / range) * 100 : Number.NaN;
}

// Stochastic oscillator: %K = (C₀ − min L)/(max H − min L) · 100 over n days, and %D, its mean over 3 days.

import type { DailyBars } from '../calendar.ts';

const MEAN_DAYS = 3;

/** Writes the values of the days `first …` to `[k, d][0 …]`; NaN without a full window of highs and lows, or if they are equal. */
export function stochastic(
  bars: DailyBars,
  window: number,
  first: number,
  [k, d]: readonly [Float64Array, Float64Array],
): void {
  let before = valueAt(bars, window, first - 1);
  let beforeThat = valueAt(bars, window, first - 2);
  for (let day = first; day < bars.closes.length; day++) {
    const value = valueAt(bars, window, day);
    k[day - first] = value;
    d[day - first] = (value + before + beforeThat) / MEAN_DAYS;
    beforeThat = before;
    before = value;
  }
}

function valueAt({ highs, lows, closes }: DailyBars, window: number, day: number): number {
  if (day < window - 1) return Number.NaN;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = day - window + 1; i <= day; i++) {
    // NaN as soon as one is missing.
    lowest = Math.min(lowest, lows[i]!);
    highest = Math.max(highest, highs[i]!);
  }
  const range = highest - lowest;
  return range > 0 ? ((closes[day]! - lowest) / range) * 100 : Number.NaN;
}

// Wilder's average true range. The true range of a day is the largest of H − L, |H − C₁| and |L − C₁|, where C₁ is the close of the
// day before. It begins with the second bar; the average is seeded with the mean of the first n true ranges.

import type { DailyBars } from '../calendar.ts';

/** Writes the values of the days `first …` to `out[0 …]`. A bar without high or low makes the recursion start again after it. */
export function atr({ highs, lows, closes }: DailyBars, window: number, first: number, out: Float64Array): void {
  out.fill(Number.NaN);
  let average = 0;
  /** True ranges since the recursion started; -1 until there is a bar with high and low. */
  let ranges = -1;
  for (let day = 0; day < closes.length; day++) {
    if (Number.isNaN(highs[day]! - lows[day]!)) {
      [average, ranges] = [0, -1];
      continue;
    }
    ranges++;
    if (ranges === 0) continue;
    const before = closes[day - 1]!;
    const range = Math.max(highs[day]! - lows[day]!, Math.abs(highs[day]! - before), Math.abs(lows[day]! - before));
    average += ranges <= window ? range / window : (range - average) / window;
    if (ranges >= window && day >= first) out[day - first] = average;
  }
}

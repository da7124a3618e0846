// Exponential moving average: EMAₜ = EMAₜ₋₁ + 2/(n+1) · (Cₜ − EMAₜ₋₁), seeded with the mean of the first n closes.
//
// Closes are positive, so the error of a step, at most 3 · 1.1e-16 of the larger of EMA and close, stays relative to the average:
// below n · 2e-16 in all, 4e-14 for n = 200.

import { DoubleDouble } from './double-double.ts';

/** Writes the values of the days `first …` to `out[0 …]`; NaN before day n. */
export function ema(closes: Float64Array, window: number, first: number, out: Float64Array): void {
  const weight = 2 / (window + 1);
  out.fill(Number.NaN);
  if (closes.length < window) return;
  let value = meanOfFirst(closes, window).high;
  if (window - 1 >= first) out[window - 1 - first] = value;
  for (let day = window; day < closes.length; day++) {
    value += weight * (closes[day]! - value);
    if (day >= first) out[day - first] = value;
  }
}

/** Rounded once, so that the mean of equal closes is that close. */
export function meanOfFirst(closes: Float64Array, count: number): DoubleDouble {
  const sum = new DoubleDouble();
  for (let day = 0; day < count; day++) sum.add(closes[day]!);
  return sum.divide(count);
}

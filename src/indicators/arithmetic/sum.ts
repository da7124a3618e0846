// Sums and means of prices.

import { DoubleDouble } from './double-double.ts';

/** Four sums at once: with one, each addition would wait for the one before. */
export function sum(values: Float64Array, from: number, to: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = from;
  for (; i + 3 < to; i += 4) {
    a += values[i]!;
    b += values[i + 1]!;
    c += values[i + 2]!;
    d += values[i + 3]!;
  }
  for (; i < to; i++) a += values[i]!;
  return a + b + (c + d);
}

/** Rounded once, so that the mean of equal closes is that close. */
export function meanOfFirst(closes: Float64Array, count: number): DoubleDouble {
  const total = new DoubleDouble();
  for (let day = 0; day < count; day++) total.add(closes[day]!);
  return total.divide(count);
}

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

/** `sum` of `values[from … to - 1]`, and of as many from the next one on: to `sums[at]` and the place after it. Each number is read once. */
export function twoSums(values: Float64Array, from: number, to: number, sums: Float64Array, at: number): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let nextA = 0;
  let nextB = 0;
  let nextC = 0;
  let nextD = 0;
  let i = from;
  let first = values[from]!;
  for (; i + 3 < to; i += 4) {
    const second = values[i + 1]!;
    const third = values[i + 2]!;
    const fourth = values[i + 3]!;
    a += first;
    b += second;
    c += third;
    d += fourth;
    first = values[i + 4]!;
    nextA += second;
    nextB += third;
    nextC += fourth;
    nextD += first;
  }
  for (; i < to; i++) {
    a += values[i]!;
    nextA += values[i + 1]!;
  }
  sums[at] = a + b + (c + d);
  sums[at + 1] = nextA + nextB + (nextC + nextD);
}

/** Rounded once, so that the mean of equal closes is that close. */
export function meanOfFirst(closes: Float64Array, count: number): DoubleDouble {
  const total = new DoubleDouble();
  for (let day = 0; day < count; day++) total.add(closes[day]!);
  return total.divide(count);
}

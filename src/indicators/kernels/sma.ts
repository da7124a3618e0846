// Simple moving average of the last min(n, available) closes.
//
// Prices are positive, so a plain sum of n of them is within n rounding errors (365 · 1.1e-16).

import { sum, twoSums } from '../arithmetic/sum.ts';
import type { Kernel, Outputs } from '../kernel.ts';

export const kernel: Kernel = ({ closes, start, end }, first, lengths, out, row) => {
  const longest = lengths[lengths.length - 1]!;
  for (let day = first; day < end; ) {
    // Two days that have all closes are summed together: most of these are in both.
    const days = day + 1 - start >= longest && day + 1 < end ? 2 : 1;
    sumsBetween(closes, start, day + 1, lengths, out, row + day - first, days);
    for (let last = day + days; day < last; day++) averages(closes, start, day + 1, lengths, out, row + day - first);
  }
};

/**
 * The sums of the closes between two lengths, of the last day of `closes[start … end - 1]`, and with two days of the next one. The oldest
 * close first, so that memory is read in order.
 */
function sumsBetween(
  closes: Float64Array,
  start: number,
  end: number,
  lengths: readonly number[],
  out: readonly Outputs[],
  row: number,
  days: 1 | 2,
): void {
  let from = Math.max(start, end - lengths[lengths.length - 1]!);
  for (let k = lengths.length - 1; k >= 0; k--) {
    const to = k > 0 ? Math.max(start, end - lengths[k - 1]!) : end;
    if (days === 2) twoSums(closes, from, to, out[k]![0], row);
    else out[k]![0][row] = sum(closes, from, to);
    from = to;
  }
}

/** Adds up the sums between two lengths, the newest first. */
function averages(
  closes: Float64Array,
  start: number,
  end: number,
  lengths: readonly number[],
  out: readonly Outputs[],
  row: number,
): void {
  const flat = flatRun(closes, Math.max(start, end - lengths[lengths.length - 1]!), end);
  let total = 0;
  for (let k = 0; k < lengths.length; k++) {
    const count = Math.min(lengths[k]!, end - start);
    const values = out[k]![0];
    total += values[row]!;
    // The mean of equal closes is that close, which a rounded sum may miss by a digit.
    values[row] = count <= flat ? closes[end - 1]! : total / count;
  }
}

/** The number of closes at the end that equal the last one: averages within that run are exactly flat. */
function flatRun(closes: Float64Array, start: number, end: number): number {
  const last = closes[end - 1]!;
  let first = end - 1;
  while (first > start && closes[first - 1] === last) first--;
  return end - first;
}

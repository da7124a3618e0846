// Simple moving average of the last min(n, available) closes.
//
// Prices are positive, so a plain sum of n of them is within n rounding errors (365 · 1.1e-16).

import { sum } from '../arithmetic/sum.ts';
import type { Kernel, Outputs } from '../kernel.ts';

export const kernel: Kernel = ({ closes, start, end }, first, lengths, out, row) => {
  for (let day = first; day < end; day++) averages(closes, start, day + 1, lengths, out, row + day - first);
};

/** Of the last day of `closes[start … end - 1]`. */
function averages(
  closes: Float64Array,
  start: number,
  end: number,
  lengths: readonly number[],
  out: readonly Outputs[],
  row: number,
): void {
  const oldest = Math.max(start, end - lengths[lengths.length - 1]!);
  // The oldest close first, so that memory is read in order. The sums between two lengths are then added up backwards.
  let from = oldest;
  for (let k = lengths.length - 1; k >= 0; k--) {
    const to = k > 0 ? Math.max(start, end - lengths[k - 1]!) : end;
    out[k]![0][row] = sum(closes, from, to);
    from = to;
  }
  const flat = flatRun(closes, oldest, end);
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

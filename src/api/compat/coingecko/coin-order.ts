// The rows of the table of assets in the order of CoinGecko's ids. It is worked out once per snapshot, from the bytes of the ids: a text per
// asset would take a hundred megabytes at a million assets.

import { partitionPoint } from '../../../common/partition-point.ts';
import type { Steps } from '../../../common/steps.ts';
import type { TextData } from '../../../snapshot/table.ts';

const COMPARISONS_PER_STEP = 2000;

/** A merge sort of row numbers by the texts from `starts` on. */
export function* sortedByText(
  { bytes, offsets }: TextData,
  starts: Uint32Array,
  rows: Uint32Array,
): Steps<Uint32Array> {
  const precedes = (one: number, other: number) => {
    const [end, otherEnd] = [offsets[one + 1]!, offsets[other + 1]!];
    let [at, otherAt] = [starts[one]!, starts[other]!];
    for (; at < end && otherAt < otherEnd; at++, otherAt++) {
      if (bytes[at] !== bytes[otherAt]) return bytes[at]! < bytes[otherAt]!;
    }
    return end - at < otherEnd - otherAt;
  };
  let [from, to]: [Uint32Array, Uint32Array] = [rows, new Uint32Array(rows.length)];
  let work = 0;
  for (let width = 1; width < rows.length; width *= 2) {
    for (let start = 0; start < rows.length; start += 2 * width) {
      const middle = Math.min(start + width, rows.length);
      const end = Math.min(start + 2 * width, rows.length);
      let [left, right] = [start, middle];
      for (let i = start; i < end; i++) {
        const takesRight = left >= middle || (right < end && precedes(from[right]!, from[left]!));
        to[i] = from[takesRight ? right++ : left++]!;
        if (++work % COMPARISONS_PER_STEP === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

/** `sorted` with further rows at their places. `few` are in the order of `textAt`, as `sorted` is. */
export function merged(sorted: Uint32Array, few: readonly number[], textAt: (row: number) => string): Uint32Array {
  const all = new Uint32Array(sorted.length + few.length);
  let from = 0;
  for (const [i, row] of few.entries()) {
    const text = textAt(row);
    const to = partitionPoint(from, sorted.length, at => textAt(sorted[at]!) < text);
    all.set(sorted.subarray(from, to), from + i);
    all[to + i] = row;
    from = to;
  }
  all.set(sorted.subarray(from), from + few.length);
  return all;
}

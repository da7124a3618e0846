// A filter as a test of rows. It works on many rows at a time, never on one.

import type { Steps } from '../../common/steps.ts';
import type { RowBitmap } from './row-bitmap.ts';

export interface RowTest {
  /** No more rows than this pass. */
  readonly atMost: number;
  /** Every row that passes, and possibly others, each once; null when there is no list of them. */
  readonly candidates: Uint32Array | null;
  /** Of `rows[from … to - 1]` keeps those that pass, in their order, starting at `from`; returns their end. */
  keep(rows: Uint32Array, from: number, to: number): number;
  /** Removes the rows that do not pass. */
  narrow(bitmap: RowBitmap): void;
  /** The same in steps, if it can take longer than one. */
  narrowInSteps?(bitmap: RowBitmap): Steps<void>;
}

/** Of `rows[0 … count - 1]` keeps those that pass every test; returns their number. */
export function keepAll(tests: readonly Pick<RowTest, 'keep'>[], rows: Uint32Array, count: number): number {
  let end = count;
  for (const test of tests) end = test.keep(rows, 0, end);
  return end;
}

/** Makes the bitmap of the rows that pass every test, and returns their number. */
export function* selectAll(tests: readonly RowTest[], bitmap: RowBitmap, rows: number): Steps<number> {
  bitmap.fill(rows);
  for (const test of tests) {
    if (test.narrowInSteps === undefined) test.narrow(bitmap);
    else yield* test.narrowInSteps(bitmap);
    yield;
  }
  return bitmap.count();
}

/** Numbers, days, or flags. */
export type RangeValues = Float64Array | Int32Array | Uint8Array;

/**
 * `RowTest.keep` of a range, both ends included. Branch-free: each row is written, and the end advances only after a row that passes.
 * No range contains null (NaN).
 */
export function keepInRange(
  values: RangeValues,
  [low, high]: readonly [low: number, high: number],
  rows: Uint32Array,
  [from, to]: readonly [from: number, to: number],
): number {
  let end = from;
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    const value = values[row]!;
    rows[end] = row;
    end += +(value >= low) & +(value <= high);
  }
  return end;
}

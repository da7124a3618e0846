// A filter as the loops see it: it works on many rows at a time, never on one.

import type { Marks } from './marks.ts';

export interface RowTest {
  /** No more rows than this pass. */
  readonly atMost: number;
  /** Every row that passes, and possibly others, each once; null where there is no list of them. */
  readonly candidates: Uint32Array | null;
  /** Of `rows[from … to - 1]` keeps those that pass, in their order, from `from` on; returns their end. */
  keep(rows: Uint32Array, from: number, to: number): number;
  /** Forgets the marked rows that do not pass. */
  narrow(marks: Marks): void;
}

/** Of `rows[0 … count - 1]` keeps those that pass every test; returns their number. */
export function keepAll(tests: readonly Pick<RowTest, 'keep'>[], rows: Uint32Array, count: number): number {
  let end = count;
  for (const test of tests) end = test.keep(rows, 0, end);
  return end;
}

/** Marks the rows that pass every test, and returns their number. */
export function markAll(tests: readonly RowTest[], marks: Marks, rows: number): number {
  marks.markAll(rows);
  for (const test of tests) test.narrow(marks);
  return marks.count();
}

// Many tests over many rows, block by block, so that the rows that are still in the running stay in the fastest cache.

import type { RowTest } from './row-test.ts';
import { rowBuffer } from './scratch.ts';

const BLOCK_ROWS = 8192;
const SAMPLE_ROWS = 64;

/** Of `rows[from … to - 1]` keeps those that pass every test; returns their end. */
export function keepAll(tests: readonly Pick<RowTest, 'keep'>[], rows: Uint32Array, from: number, to: number): number {
  let end = to;
  for (const test of tests) end = test.keep(rows, from, end);
  return end;
}

/** Puts the rows that pass every test into the row buffer, ascending, and returns their number. At least one test. */
export function filterAll(tests: readonly RowTest[], rowCount: number): number {
  return runAll(tests, rowCount, true);
}

export function countAll(tests: readonly RowTest[], rowCount: number): number {
  return runAll(tests, rowCount, false);
}

function runAll(tests: readonly RowTest[], rowCount: number, collected: boolean): number {
  const rows = rowBuffer(rowCount);
  const [first, ...others] = bySelectivity(tests, rowCount);
  let total = 0;
  for (let from = 0; from < rowCount; from += BLOCK_ROWS) {
    const at = collected ? total : 0;
    const scanned = first!.scan(from, Math.min(from + BLOCK_ROWS, rowCount), rows, at);
    total += keepAll(others, rows, at, scanned) - at;
  }
  return total;
}

/** The test first that lets the fewest rows of a sample pass; the others then have less to do. */
function bySelectivity(tests: readonly RowTest[], rowCount: number): readonly RowTest[] {
  if (tests.length === 1 || rowCount < BLOCK_ROWS) return tests;
  const sample = new Uint32Array(SAMPLE_ROWS);
  const passing = tests.map(test => {
    for (let i = 0; i < SAMPLE_ROWS; i++) sample[i] = Math.floor((i * rowCount) / SAMPLE_ROWS);
    return { test, count: test.keep(sample, 0, SAMPLE_ROWS) };
  });
  return passing.sort((a, b) => a.count - b.count).map(({ test }) => test);
}

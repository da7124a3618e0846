// The errors of rows that are not what was written.

import type { TableName } from './layout.ts';

export class ChecksumMismatch extends Error {}

/** `row` is the first cell of its primary key. */
export function rowMismatch(
  table: TableName,
  row: unknown,
  fault = 'has changed since it was written',
): ChecksumMismatch {
  return new ChecksumMismatch(`the row ${row} of the table ${table} ${fault}`);
}

export function requireCount(table: TableName, found: number, expected: number): void {
  if (found !== expected) throw new ChecksumMismatch(`the table ${table} has ${found} rows instead of ${expected}`);
}

// Writing many short rows.

import type { SQLInputValue } from 'node:sqlite';
import type { Connection } from './connection.ts';

/** Rows per statement: with one row each, half of the time goes into starting statements. */
const ROWS_AT_ONCE = 100;

/** A function that writes rows of `width` cells. */
export function manyRows(
  db: Connection,
  sql: string,
  width: number,
): (rows: readonly (readonly SQLInputValue[])[]) => void {
  const tuple = `(${Array(width).fill('?').join(', ')})`;
  const one = db.command(`${sql} ${tuple}`);
  const many = db.command(`${sql} ${Array(ROWS_AT_ONCE).fill(tuple).join(', ')}`);
  return rows => {
    let row = 0;
    for (; row + ROWS_AT_ONCE <= rows.length; row += ROWS_AT_ONCE)
      many.run(...rows.slice(row, row + ROWS_AT_ONCE).flat());
    for (; row < rows.length; row++) one.run(...rows[row]!);
  };
}

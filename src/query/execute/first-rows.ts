// The first rows in the order of a column that has no stored order, such as a computed one: values are computed block by block, and only rows
// that may be among the first are kept.

import type { Steps } from '../../common/steps.ts';
import type { Table } from '../../snapshot/table.ts';
import { BLOCK_ROWS } from '../expression/inputs.ts';
import { Program } from '../expression/program.ts';
import type { Plan } from '../parse/plan.ts';
import type { Scratch } from './scratch.ts';
import { sortSpan } from './select-rows.ts';

/** Sorts so many kept rows at least before the best of them are chosen. */
const LEAST_KEPT = 4096;
/** From one row in so many on, all rows are computed. */
const DENSE_SHARE = 8;

/** Whether the sort column is one of numbers: a program computes numbers only. */
export function choosesFirstRows({ sort }: Plan, { columns }: Table): boolean {
  return columns[sort] === undefined || columns[sort].kind === 'number';
}

/** Of the rows of the scratch bitmap, which are `count`, the first `wanted` in the order of the plan: nulls last, ties by row. */
export function* firstRows(
  { computed, sort, order }: Plan,
  table: Table,
  scratch: Scratch,
  count: number,
  wanted: number,
): Steps<Uint32Array> {
  const { bitmap } = scratch;
  const program = new Program(table);
  const block = program.addNumber(computed[sort - table.dataset.columns.length] ?? { kind: 'column', column: sort });
  const capacity = Math.max(LEAST_KEPT, 2 * wanted) + BLOCK_ROWS;
  const [keys, kept] = [new Float64Array(capacity), new Uint32Array(capacity)];
  const sign = order === 'desc' ? -1 : 1;
  // Rows that follow one another are computed several times faster than rows of a list.
  const dense = count * DENSE_SHARE >= table.rows;
  const rows = dense ? null : scratch.rowBuffer(count);
  if (rows !== null) bitmap.list(rows);
  const total = rows === null ? table.rows : count;
  const words = bitmap.words;
  let end = 0;
  /** Of the last of the first rows so far. A later row with the same key sorts behind it. */
  let last = Number.NaN;
  for (let start = 0; start < total; start += BLOCK_ROWS) {
    const size = Math.min(BLOCK_ROWS, total - start);
    if (rows === null) program.runOver(start, size);
    else program.runOnList(rows, start, size);
    const { array, offset } = block;
    for (let i = 0; i < size; i++) {
      const value = array[offset + i]! * sign;
      // Values are finite, so that infinity puts nulls last.
      const key = Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
      if (key >= last) continue;
      const row = rows === null ? start + i : rows[start + i]!;
      if (((words[row >>> 5]! >>> (row & 31)) & 1) === 0) continue;
      keys[end] = key;
      kept[end++] = row;
    }
    yield;
    if (end <= capacity - BLOCK_ROWS) continue;
    sortSpan(keys, kept, 0, end, { from: 0, to: wanted });
    [end, last] = [wanted, keys[wanted - 1]!];
  }
  sortSpan(keys, kept, 0, end, { from: 0, to: wanted });
  return kept.slice(0, wanted);
}

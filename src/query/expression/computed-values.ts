// The values of computed columns for some rows of a table.

import { finish, type Steps } from '../../common/steps.ts';
import type { Table } from '../../snapshot/table.ts';
import { BLOCK_ROWS } from './inputs.ts';
import type { NumberNode } from './nodes.ts';
import { Program } from './program.ts';

/** One column per node: its values for `rows[0 … count - 1]`, in their order. Null is NaN, and there is no -0. */
export function computedValues(
  table: Table,
  nodes: readonly NumberNode[],
  rows: Uint32Array,
  count: number = rows.length,
): Float64Array<SharedArrayBuffer>[] {
  const columns = nodes.map(() => new Float64Array(new SharedArrayBuffer(8 * count)));
  finish(fillComputed(table, nodes, rows, count, columns));
  return columns;
}

/** The same in steps, into columns that are there. */
export function* fillComputed(
  table: Table,
  nodes: readonly NumberNode[],
  rows: Uint32Array,
  count: number,
  columns: readonly Float64Array[],
): Steps<void> {
  const program = new Program(table);
  const blocks = nodes.map(node => program.addNumber(node));
  for (let start = 0; start < count; start += BLOCK_ROWS) {
    const end = Math.min(start + BLOCK_ROWS, count);
    program.runOnList(rows, start, end - start);
    for (const [i, { values }] of blocks.entries()) {
      const column = columns[i]!;
      for (let row = start; row < end; row++) column[row] = values[row - start]! + 0;
    }
    yield;
  }
}

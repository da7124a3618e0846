// The values of one column in some rows, sorted, in steps of a few milliseconds: who takes them can let other requests run between.

import type { Steps } from '../../common/steps.ts';
import type { Table } from '../../snapshot/table.ts';
import { fillComputed } from '../expression/computed-values.ts';
import type { NumberNode } from '../expression/nodes.ts';

/** Rows per step. */
const STEP = 2 ** 15;

/** Along the column's order, so that nothing has to be sorted. `words` has a bit per row. */
export function* sortedColumn(table: Table, column: number, words: Int32Array, count: number): Steps<Float64Array> {
  const data = table.columns[column];
  if (data?.kind !== 'number') throw new TypeError(`column ${column} of ${table.dataset.name} holds no numbers`);
  const { values } = data;
  const order = table.order(column);
  if (order === null) return yield* sortedComputed(table, { kind: 'column', column }, rowsOf(words, table.rows));
  const sorted = new Float64Array(count);
  let end = 0;
  for (let from = 0; from < order.length; from += STEP) {
    const to = Math.min(from + STEP, order.length);
    for (let position = from; position < to; position++) {
      const row = order[position]!;
      const value = values[row]!;
      if (((words[row >>> 5]! >>> (row & 31)) & 1) === 1 && !Number.isNaN(value)) sorted[end++] = value;
    }
    yield;
  }
  return sorted.subarray(0, end);
}

function rowsOf(words: Int32Array, rows: number): Uint32Array {
  const selected: number[] = [];
  for (let row = 0; row < rows; row++) if (((words[row >>> 5]! >>> (row & 31)) & 1) === 1) selected.push(row);
  return Uint32Array.from(selected);
}

/** A computed column has no order: pieces are sorted by themselves, then merged. */
export function* sortedComputed(table: Table, node: NumberNode, rows: Uint32Array): Steps<Float64Array> {
  const values = new Float64Array(rows.length);
  let end = 0;
  let pieces: Float64Array[] = [];
  for (let from = 0; from < rows.length; from += STEP) {
    const part = rows.subarray(from, from + STEP);
    const piece = values.subarray(end, end + part.length);
    yield* fillComputed(table, [node], part, part.length, [piece]);
    // NaN sorts behind every number.
    piece.sort();
    const present = piece.length - countNulls(piece);
    pieces.push(values.subarray(end, end + present));
    end += present;
    yield;
  }
  while (pieces.length > 1) {
    const merged: Float64Array[] = [];
    for (let i = 0; i < pieces.length; i += 2) {
      const [one, other] = [pieces[i]!, pieces[i + 1]];
      merged.push(other === undefined ? one : yield* merge(one, other));
    }
    pieces = merged;
  }
  return pieces[0] ?? values;
}

function countNulls(sorted: Float64Array): number {
  let nulls = 0;
  while (nulls < sorted.length && Number.isNaN(sorted[sorted.length - 1 - nulls]!)) nulls++;
  return nulls;
}

function* merge(one: Float64Array, other: Float64Array): Steps<Float64Array> {
  const merged = new Float64Array(one.length + other.length);
  for (let i = 0, j = 0; i + j < merged.length; ) {
    const until = Math.min(i + j + STEP, merged.length);
    while (i + j < until) {
      const takeOne = j >= other.length || (i < one.length && one[i]! <= other[j]!);
      merged[i + j] = takeOne ? one[i]! : other[j]!;
      if (takeOne) i++;
      else j++;
    }
    yield;
  }
  return merged;
}

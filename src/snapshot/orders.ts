// The order of a column: sorted from scratch, or repaired from the order of the snapshot before.

import { partitionPoint } from '../common/partition-point.ts';
import { rowNumbers } from './consecutive.ts';
import { compareNumbers, sortedByNumber } from './sort-numbers.ts';
import type { ColumnData } from './table.ts';
import { compareTexts, sortedByText } from './texts.ts';

/** Row numbers sorted by the column: nulls last, ties in row order. */
export function columnOrder(column: ColumnData, rows: number): Uint32Array {
  if (column.kind === 'text') return sortedByText(column, rowNumbers(rows));
  if (column.kind === 'number') return sortedByNumber(column.values);
  const keys = new Float64Array(rows);
  for (let row = 0; row < rows; row++) keys[row] = numberAt(column, row);
  return sortedByNumber(keys);
}

/** If a larger share of the rows has moved, sorting everything is faster. */
const MANY = 1 / 8;

/** Which rows of two tables are the same row; -1 for none. Apart from -1, both arrays ascend. */
export interface RowMatch {
  /** For each row of the later table. */
  readonly before: Int32Array;
  /** For each row of the earlier table. */
  readonly after: Int32Array;
}

/** How the rows of a table relate to those of the table before. */
export type RowChanges =
  /** Every row is where it was; only these may have other values. */
  { readonly kind: 'touched'; readonly rows: Uint32Array } | { readonly kind: 'matched'; readonly match: RowMatch };

/**
 * Writes the order of `next` into `order`, given that of `previous`. Rows with unchanged values keep their relative order; only the
 * others are sorted and merged in. `scratch` is as long as either order. Returns false, and writes nothing, when so much has changed
 * that sorting is faster.
 */
export function repairOrder(
  previous: ColumnData,
  previousOrder: Uint32Array,
  next: ColumnData,
  changes: RowChanges,
  order: Uint32Array,
  scratch: Uint32Array,
): boolean {
  const most = order.length * MANY;
  const moved = movedRows(previous, next, changes, most);
  if (moved === null) return false;
  const left = leftRows(moved, changes);
  if (moved.length + left.length > most) return false;
  const kept = scratch.subarray(0, previousOrder.length - left.length);
  leaveOut(previousOrder, left.sort(rowComparer(previous)), rowComparer(previous), kept);
  if (changes.kind === 'matched') for (let i = 0; i < kept.length; i++) kept[i] = changes.match.after[kept[i]!]!;
  merge(kept, moved.sort(rowComparer(next)), rowComparer(next), order);
  return true;
}

/** Rows of the later table that are new or have another value; null when they are more than `most`. */
function movedRows(previous: ColumnData, next: ColumnData, changes: RowChanges, most: number): Uint32Array | null {
  // An unchanged column is reused.
  if (changes.kind === 'touched' && previous === next) return new Uint32Array();
  const moved: number[] = [];
  const count = changes.kind === 'touched' ? changes.rows.length : changes.match.before.length;
  for (let i = 0; i < count; i++) {
    const row = changes.kind === 'touched' ? changes.rows[i]! : i;
    const old = changes.kind === 'touched' ? row : changes.match.before[i]!;
    if (old >= 0 && compareCells(previous, old, next, row) === 0) continue;
    if (moved.length >= most) return null;
    moved.push(row);
  }
  return Uint32Array.from(moved);
}

/** Rows of the earlier table that lose their position in the order. */
function leftRows(moved: Uint32Array, changes: RowChanges): Uint32Array {
  if (changes.kind === 'touched') return moved.slice();
  const { before, after } = changes.match;
  const left = Array.from(moved, row => before[row]!).filter(row => row >= 0);
  for (let row = 0; row < after.length; row++) if (after[row]! < 0) left.push(row);
  return Uint32Array.from(left);
}

/** Copies sorted rows without some of them, which are sorted too, in slices between two that are left out. */
function leaveOut(sorted: Uint32Array, rows: Uint32Array, compare: Compare, rest: Uint32Array): void {
  let from = 0;
  for (let i = 0; i < rows.length; i++) {
    const to = firstNotBefore(sorted, from, rows[i]!, compare);
    rest.set(sorted.subarray(from, to), from - i);
    from = to + 1;
  }
  rest.set(sorted.subarray(from), from - rows.length);
}

/** Merges two sorted lists of rows, in the same manner. */
function merge(kept: Uint32Array, moved: Uint32Array, compare: Compare, order: Uint32Array): void {
  let from = 0;
  for (let i = 0; i < moved.length; i++) {
    const to = firstNotBefore(kept, from, moved[i]!, compare);
    order.set(kept.subarray(from, to), from + i);
    order[to + i] = moved[i]!;
    from = to;
  }
  order.set(kept.subarray(from), from + moved.length);
}

type Compare = (a: number, b: number) => number;

function firstNotBefore(sorted: Uint32Array, from: number, row: number, compare: Compare): number {
  return partitionPoint(from, sorted.length, place => compare(sorted[place]!, row) < 0);
}

function rowComparer(column: ColumnData): Compare {
  return (a, b) => compareCells(column, a, column, b) || a - b;
}

/** Both columns have the same kind: they are the same column of two tables. */
function compareCells(a: ColumnData, aRow: number, b: ColumnData, bRow: number): number {
  if (a.kind === 'text' && b.kind === 'text') return compareTexts(a, aRow, b, bRow);
  if (a.kind === 'text' || b.kind === 'text')
    throw new Error(`a ${a.kind} column cannot be compared with a ${b.kind} one`);
  return compareNumbers(numberAt(a, aRow), numberAt(b, bRow));
}

function numberAt(column: Exclude<ColumnData, { kind: 'text' }>, row: number): number {
  const value = column.values[row]!;
  return column.kind === 'day' && value < 0 ? Number.NaN : value;
}

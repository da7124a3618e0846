// The order of a column: sorted from scratch, or repaired from the order of the snapshot before.

import { partitionPoint } from '../../common/partition-point.ts';
import { rowNumbers } from '../columns/shared-memory.ts';
import { compareNumbers, sortByNumber } from '../columns/sort-numbers.ts';
import { compareTexts, sortedByText } from '../columns/texts.ts';
import { WorkMemory } from '../columns/work-memory.ts';
import type { ColumnData } from '../table.ts';

/** Writes the row numbers sorted by the column: nulls last, ties in row order. */
export function sortColumn(column: ColumnData, order: Uint32Array, memory = new WorkMemory()): void {
  if (column.kind === 'text') order.set(sortedByText(column, rowNumbers(order.length), memory));
  else if (column.kind === 'number') sortByNumber(column.values, order, memory);
  else {
    const keys = memory.doubles(order.length);
    for (let row = 0; row < keys.length; row++) keys[row] = numberAt(column, row);
    sortByNumber(keys, order, memory);
  }
}

/** If a larger share of the rows has moved, sorting everything is faster. */
export const MANY_MOVED = 1 / 8;

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

/** A column of the table before, its order, and what has changed since. */
export interface OrderChanges {
  readonly previous: ColumnData;
  readonly previousOrder: Uint32Array;
  readonly rows: RowChanges;
  /** The memory of the new order holds the previous one, so that only what differs is written. */
  readonly isCopied: boolean;
}

/**
 * Writes the order of `next` into `order`, given that of the table before. Rows with unchanged values keep their relative order; only
 * the others are sorted and merged in. Returns false, and writes nothing, when so much has changed that sorting is faster.
 */
export function repairOrder(
  { previous, previousOrder, rows: changes, isCopied }: OrderChanges,
  next: ColumnData,
  order: Uint32Array,
  memory: WorkMemory,
): boolean {
  const most = order.length * MANY_MOVED;
  const moved = movedRows(previous, next, changes, most);
  if (moved === null) return false;
  const left = leftRows(moved, changes);
  if (moved.length + left.length > most) return false;
  const leaving = placesOf(previousOrder, left.sort(rowComparer(previous)), rowComparer(previous));
  moved.sort(rowComparer(next));
  if (changes.kind === 'touched') {
    // The rows that stay have the same values in both columns.
    const places = placesOf(previousOrder, moved, compareAcross(previous, next));
    moveRows(previousOrder, leaving, moved, places, order, isCopied);
    return true;
  }
  const kept = memory.words(previousOrder.length).subarray(0, previousOrder.length - left.length);
  moveRows(previousOrder, leaving, NO_ROWS, NO_ROWS, kept);
  for (let i = 0; i < kept.length; i++) kept[i] = changes.match.after[kept[i]!]!;
  moveRows(kept, NO_ROWS, moved, placesOf(kept, moved, rowComparer(next)), order);
  return true;
}

/** Rows of the later table that are new or have another value; null when they are more than `most`. */
function movedRows(previous: ColumnData, next: ColumnData, changes: RowChanges, most: number): Uint32Array | null {
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

const NO_ROWS = new Uint32Array();

type Compare = (a: number, b: number) => number;

/** Where each of these rows, which are sorted too, is or belongs among the sorted ones. */
function placesOf(sorted: Uint32Array, rows: Uint32Array, compare: Compare): Uint32Array {
  let from = 0;
  return rows.map(row => {
    from = partitionPoint(from, sorted.length, place => compare(sorted[place]!, row) < 0);
    return from;
  });
}

/**
 * Copies sorted rows without those at the places `leaving`, and with the rows `coming`, each before its place. `isCopied`: `moved` is a
 * copy of `sorted` already.
 */
function moveRows(
  sorted: Uint32Array,
  leaving: Uint32Array,
  coming: Uint32Array,
  places: Uint32Array,
  moved: Uint32Array,
  isCopied = false,
): void {
  let [from, to, left, come] = [0, 0, 0, 0];
  while (left < leaving.length || come < coming.length) {
    const comes = come < coming.length && (left === leaving.length || places[come]! <= leaving[left]!);
    const end = comes ? places[come]! : leaving[left]!;
    // In slices, because most rows stay.
    if (!isCopied || from !== to) moved.set(sorted.subarray(from, end), to);
    to += end - from;
    from = end;
    if (comes) moved[to++] = coming[come++]!;
    else {
      from++;
      left++;
    }
  }
  if (!isCopied || from !== to) moved.set(sorted.subarray(from), to);
}

function rowComparer(column: ColumnData): Compare {
  return compareAcross(column, column);
}

/** Compares a row of the one column with a row of the other. */
function compareAcross(one: ColumnData, other: ColumnData): Compare {
  return (a, b) => compareCells(one, a, other, b) || a - b;
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

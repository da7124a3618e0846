// A table whose memory every thread can use: what is posted to a worker is its description, and both then read one copy.
//
// Orders are made by whichever thread first needs one, into memory that was set aside for it, and are marked as made when
// they are complete. Two threads may make the same one at once: both write the same numbers, so nobody has to wait. Memory
// set aside and never used is never touched, and the system gives it no pages.

import { DATASETS, type Dataset } from '../domain/datasets.ts';
import { columnOrder, identity, type RowChanges, type RowMatch, repairOrder } from './orders.ts';
import { sharedCounts, sharedIntegers } from './shared-memory.ts';
import type { ColumnData, Table, TextData } from './table.ts';
import { compareTexts } from './texts.ts';

/** Can be posted to another thread. */
export interface TableDescriptor {
  readonly dataset: string;
  readonly rows: number;
  readonly columns: readonly ColumnData[];
  readonly history: Uint32Array<SharedArrayBuffer>;
  /** One order after the other, in the order of the columns. */
  readonly orders: Uint32Array<SharedArrayBuffer>;
  /** 1 for each column whose order is complete. */
  readonly made: Int32Array<SharedArrayBuffer>;
}

export interface SharedTable extends Table {
  readonly descriptor: TableDescriptor;
  /**
   * As large as the table, and never touched, so that the system gives it no pages. V8 does not count shared memory: tables that
   * nobody uses any more would stay until something else brings about a garbage collection. This it counts.
   */
  readonly counted: ArrayBuffer;
}

export function createTable(
  dataset: Dataset,
  columns: readonly ColumnData[],
  history: Uint32Array<SharedArrayBuffer>,
  rows: number,
): SharedTable {
  const orders = sharedCounts(rows * columns.length);
  const made = sharedIntegers(columns.length);
  return attachTable({ dataset: dataset.name, rows, columns, history, orders, made });
}

export function describeTable(table: SharedTable): TableDescriptor {
  return table.descriptor;
}

export function attachTable(descriptor: TableDescriptor): SharedTable {
  const dataset = DATASETS.find(candidate => candidate.name === descriptor.dataset);
  if (!dataset) throw new Error(`a table of the unknown dataset ${descriptor.dataset} was shared`);
  const { rows, columns, history } = descriptor;
  const counted = new ArrayBuffer(columns.reduce((sum, column) => sum + sizeOf(column), history.byteLength));
  const order = (column: number) => sharedOrder(descriptor, dataset, column);
  return { dataset, rows, columns, history, descriptor, counted, order };
}

function sizeOf(column: ColumnData): number {
  return column.kind === 'text' ? column.bytes.byteLength + column.offsets.byteLength : column.values.byteLength;
}

function sharedOrder(table: TableDescriptor, dataset: Dataset, column: number): Uint32Array<SharedArrayBuffer> {
  const data = table.columns[column];
  if (!data) throw new RangeError(`${table.dataset} has no column ${column}`);
  if (Atomics.load(table.made, column) === 0) {
    const isRowOrder = dataset.columns[column]?.name === dataset.tieBreaker;
    keepOrder(table, column, isRowOrder ? identity(table.rows) : columnOrder(data, table.rows));
  }
  return orderSpace(table, column);
}

function orderSpace(table: TableDescriptor, column: number): Uint32Array<SharedArrayBuffer> {
  return table.orders.subarray(column * table.rows, (column + 1) * table.rows);
}

function keepOrder(table: TableDescriptor, column: number, order: Uint32Array): void {
  orderSpace(table, column).set(order);
  Atomics.store(table.made, column, 1);
}

/**
 * Brings the orders that were in use on the table before over to the one that takes its place, repaired where that is
 * faster than making them anew, so that the first reader after an update does not pay for it. `touched` are the rows that may
 * have other values, given that every row is where it was; null when more may have changed than that.
 */
export function carryOrders(previous: SharedTable, next: SharedTable, touched: Uint32Array | null): void {
  const [before, after] = [previous.descriptor, next.descriptor];
  const tieBreaker = next.dataset.columns.findIndex(column => column.name === next.dataset.tieBreaker);
  const inUse = after.columns.map((_, column) => column).filter(column => Atomics.load(before.made, column) === 1);
  if (inUse.length === 0) return;
  const changes: RowChanges = touched
    ? { kind: 'touched', rows: touched }
    : { kind: 'matched', match: matchRows(before, after, tieBreaker) };
  const scratch = new Uint32Array(before.rows);
  for (const column of inUse) {
    const [old, fresh] = [before.columns[column]!, after.columns[column]!];
    const space = orderSpace(after, column);
    const repaired = repairOrder(old, orderSpace(before, column), fresh, changes, space, scratch);
    if (repaired) Atomics.store(after.made, column, 1);
    else next.order(column);
  }
}

/** Rows with the same tie breaker are the same row, so that what is matched is in the same order in both tables. */
function matchRows(previous: TableDescriptor, next: TableDescriptor, tieBreaker: number): RowMatch {
  const [old, fresh] = [textColumn(previous, tieBreaker), textColumn(next, tieBreaker)];
  const before = new Int32Array(next.rows).fill(-1);
  const after = new Int32Array(previous.rows).fill(-1);
  for (let i = 0, j = 0; i < previous.rows && j < next.rows; ) {
    const difference = compareTexts(old, i, fresh, j);
    if (difference === 0) {
      before[j] = i;
      after[i] = j;
    }
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return { before, after };
}

function textColumn(table: TableDescriptor, column: number): TextData {
  const data = table.columns[column];
  if (data?.kind !== 'text') throw new Error(`the tie breaker of ${table.dataset} is no text`);
  return data;
}

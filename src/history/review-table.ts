// The tables of `findings` and `actions` in shared memory, with the orders of all columns: made once per publication in a thread of low
// priority, because a store can have hundreds of thousands of findings, and read by all serving threads.

import type { Dataset } from '../domain/datasets.ts';
import { ACTIONS, FINDINGS } from '../domain/reviews.ts';
import {
  type ExternalMemory,
  sharedCounts,
  sharedDoubles,
  sharedIntegers,
  tableMemory,
} from '../snapshot/columns/shared-memory.ts';
import { packTexts } from '../snapshot/columns/texts.ts';
import { sortColumn } from '../snapshot/indexes/orders.ts';
import { SymbolIndex, type SymbolIndexData, symbolIndexData } from '../snapshot/indexes/symbol-index.ts';
import { bytesOfColumns, type ColumnData, type Table } from '../snapshot/table.ts';
import type { Store } from '../store/store.ts';
import { type ReviewRow, readActions, readFindings } from './review-rows.ts';

const DATASETS = { findings: FINDINGS, actions: ACTIONS } as const;

export type ReviewName = keyof typeof DATASETS;

/** Can be posted to another thread. */
export interface SharedReviews {
  /** Of the publication that was there when they were read. */
  readonly version: number;
  readonly rows: number;
  readonly columns: readonly ColumnData[];
  /** Of each column. */
  readonly orders: readonly Uint32Array<SharedArrayBuffer>[];
  readonly symbolIndex: SymbolIndexData;
}

export interface ReviewsOf {
  findings(): Promise<SharedReviews>;
  actions(): Promise<SharedReviews>;
}

export async function readReviews(store: Store, name: ReviewName): Promise<SharedReviews> {
  const { version, rows } = await store.readConsistently(
    name === 'findings' ? each => readFindings(each) : readActions,
  );
  return { version, ...sharedRows(DATASETS[name], rows) };
}

/** Rows in the order of ids: rows that are equal in the sort column stay in it. */
function sharedRows(dataset: Dataset, rows: readonly ReviewRow[]): Omit<SharedReviews, 'version'> {
  const columns = dataset.columns.map(({ name, kind, type }): ColumnData => {
    if (kind === 'time') {
      const values = sharedIntegers(rows.length);
      values.set(rows.map(({ minute }) => minute));
      return { kind: 'day', interval: '1m', values };
    }
    if (type === 'string') return packTexts(rows.map(row => row[name]?.toString() ?? null));
    const values = sharedDoubles(rows.length);
    values.set(rows.map(row => Number(row[name])));
    return { kind: 'number', values };
  });
  const symbols = columns[dataset.columns.findIndex(({ name }) => name === 'symbol')];
  if (symbols?.kind !== 'text') throw new Error(`${dataset.name} has no tickers`);
  const orders = columns.map(column => {
    const order = sharedCounts(rows.length);
    sortColumn(column, order);
    return order;
  });
  return { rows: rows.length, columns, orders, symbolIndex: symbolIndexData(symbols) };
}

export function attachReviews(dataset: Dataset, shared: SharedReviews): Table & ExternalMemory {
  const { rows, columns, orders, symbolIndex } = shared;
  const symbols = columns[dataset.columns.findIndex(({ name }) => name === 'symbol')];
  if (symbols?.kind !== 'text') throw new Error(`${dataset.name} has no tickers`);
  return {
    ...tableMemory(bytesOfColumns(columns) + orders.length * 4 * rows),
    dataset,
    rows,
    columns,
    history: sharedDoubles(0),
    historyOrder: sharedCounts(0),
    symbols: new SymbolIndex(symbols, symbolIndex),
    search: null,
    profiles: null,
    order: column => {
      const order = orders[column];
      if (order === undefined) throw new RangeError(`${dataset.name} has no column ${column}`);
      return order;
    },
  };
}

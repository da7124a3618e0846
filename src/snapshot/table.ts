// The tables of a snapshot: immutable columns in shared memory, of which all threads read the same copy.
//
// Rows are in ascending order of the dataset's tie breaker. A stable sort is therefore a total order, and "ties by symbol ascending"
// needs no comparison of texts.

import type { Dataset } from '../domain/datasets.ts';
import type { Interval } from '../domain/interval.ts';
import type { QuoteAsset } from '../domain/quote.ts';
import type { AssetIndex } from './asset-index.ts';
import type { ByDataset } from './by-dataset.ts';
import type { ProfileLookup, SymbolLookup, TextSearch } from './row-indexes.ts';

export type ColumnData = NumberData | TextData | DayData | FlagData;

/** Null is NaN. */
export interface NumberData {
  readonly kind: 'number';
  readonly values: Float64Array<SharedArrayBuffer>;
}

/** UTF-8, one text after the other: row i is `bytes[offsets[i] … offsets[i + 1] - 1]`. Null where `missing[i]` is 1. */
export interface TextData {
  readonly kind: 'text';
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  readonly missing: Uint8Array<SharedArrayBuffer>;
}

/** Periods of an interval, served as the timestamp of their start; null is -1. */
export interface DayData {
  readonly kind: 'day';
  readonly interval: Interval;
  readonly values: Int32Array<SharedArrayBuffer>;
}

/** 0 or 1. */
export interface FlagData {
  readonly kind: 'flag';
  readonly values: Uint8Array<SharedArrayBuffer>;
}

/** What rendering rows needs. */
export interface Rows {
  readonly dataset: Dataset;
  readonly rows: number;
  /** In the order of the dataset's columns. One that is not published has no values. */
  readonly columns: readonly ColumnData[];
}

export interface Table extends Rows {
  /** Days of history of each row's asset (`min_history`); empty for a table without them. */
  readonly history: Float64Array<SharedArrayBuffer>;
  /** Row numbers sorted by their history, ascending. */
  readonly historyOrder: Uint32Array<SharedArrayBuffer>;
  readonly symbols: SymbolLookup;
  /** Null for a table that is not searched. */
  readonly search: TextSearch | null;
  /** Null for a table whose rows are not assets. */
  readonly profiles: ProfileLookup | null;
  /**
   * Row numbers sorted by the column, ascending: nulls last, ties in row order. Numbers by value, texts by code point, false
   * before true. Null for most optional columns of a snapshot: the orders of all of them would take more memory than is worth it,
   * because choosing the rows of a page takes a few milliseconds for 100,000 rows.
   */
  order(column: number): Uint32Array<SharedArrayBuffer> | null;
}

/** Bytes of the rendered rows of one asset's table, in one format and thread. */
export const RENDERED_ASSET_BYTES: number = 4 * 2 ** 20;

/** The values of a column by its name, to read those of single rows. Fails unless they are of this kind. */
export function columnOf<K extends ColumnData['kind']>(
  { dataset, columns }: Pick<Rows, 'dataset' | 'columns'>,
  name: string,
  kind: K,
): Extract<ColumnData, { readonly kind: K }> {
  const data = columns[dataset.columns.findIndex(column => column.name === name)];
  if (data?.kind !== kind) throw new TypeError(`${dataset.name} has no column ${name} of the kind ${kind}`);
  return data as Extract<ColumnData, { readonly kind: K }>; // by the line above
}

export function bytesOfColumns(columns: readonly ColumnData[]): number {
  return columns.reduce((sum, column) => sum + bytesOfColumn(column), 0);
}

function bytesOfColumn(column: ColumnData): number {
  return column.kind === 'text' ? column.bytes.byteLength + column.offsets.byteLength : column.values.byteLength;
}

/** The indexes of the columns that have values. */
export function publishedColumns({ columns, rows }: Rows): number[] {
  return [...columns.keys()].filter(i => {
    const column = columns[i]!;
    return column.kind === 'text' || column.values.length === rows;
  });
}

/** Whether the listing of a snapshot has all optional columns. */
export function hasOptional({ tables }: Pick<Snapshot, 'tables'>): boolean {
  const listing = tables['ta-cur'];
  return publishedColumns(listing).length === listing.columns.length;
}

/** Per row of the listing. Two snapshots of one store are compared by them. */
export interface ListedRows {
  /** The number of its asset. */
  readonly assetNumbers: Uint32Array<SharedArrayBuffer>;
  /** Of the snapshot in which it last was new or published again. */
  readonly versions: Float64Array<SharedArrayBuffer>;
}

/** What a server holds of one publication. Immutable; the next publication brings a new one. */
export interface Snapshot {
  /** Of the publication. */
  readonly version: number;
  /** Different for any two snapshots with different content; part of every ETag. */
  readonly fingerprint: string;
  readonly tables: ByDataset<Table>;
  readonly assetIndex: AssetIndex;
  readonly listed: ListedRows;
  /** Ticker of the benchmark asset. */
  readonly benchmark: string;
  /** The fiat currencies that have closes, which are in none of the tables. */
  readonly fiats: readonly QuoteAsset[];
  /** Milliseconds since 1970 when it was built. */
  readonly builtAt: number;
}

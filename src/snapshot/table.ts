// The tables of a snapshot: immutable columns in shared memory, of which all threads read the same copy.
//
// Rows are in ascending order of the dataset's tie breaker. A stable sort is therefore a total order, and "ties by symbol ascending"
// needs no comparison of texts.

import type { Asset } from '../domain/asset.ts';
import type { AssetState } from '../domain/asset-state.ts';
import { type Dataset, SNAPSHOT_DATASETS, type SnapshotDatasetName } from '../domain/datasets.ts';
import type { Interval } from '../domain/interval.ts';
import type { QuoteAsset } from '../domain/quote.ts';

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

/** Finds rows of a table by ticker. */
export interface SymbolLookup {
  /** Each ticker in the form of `tickerKey`, and once. The rows of one ticker ascend. */
  rowsOf(tickers: readonly string[]): Uint32Array;
}

/** By what their texts contain. Texts are in the form of `foldForSearch`, and not empty. */
export interface TextSearch {
  find(wanted: string): SearchMatches;
  /** Writes the rows that contain the text, ascending, and returns their number. Only for distinct matches, whose number is enough room. */
  list(wanted: string, out: Uint32Array): number;
  /** Of `rows[from … to - 1]` keeps those that contain the text, in their order, starting at `from`; returns their end. */
  keep(wanted: string, rows: Uint32Array, from: number, to: number): number;
}

/** The candidates of a search. */
export interface SearchMatches {
  /** Every row that contains the text, and possibly others. */
  readonly rows: Uint32Array;
  /** No row occurs twice. */
  readonly distinct: boolean;
  /** Every row contains the text. */
  readonly exact: boolean;
}

export type ProfileFact = 'tag' | 'type';

/** By the profile of their asset. */
export interface ProfileLookup {
  /** The rows whose asset has one of these tags or types, in upper case. Row r is bit `r % 32` of word `r / 32`. */
  bitmap(fact: ProfileFact, values: readonly string[]): Int32Array;
  /** The tags or types that any asset has, in upper case. */
  values(fact: ProfileFact): string[];
  /** Each tag or type in upper case, and how many rows of the bitmap have it. */
  counts(fact: ProfileFact, words: Int32Array): Iterable<readonly [value: string, count: number]>;
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

/** An asset of a snapshot. */
export interface IndexedAsset
  extends Pick<Asset, 'assetNumber' | 'id' | 'symbol' | 'name' | 'rank' | 'type'>,
    AssetState {}

/** Looks up one asset, ignoring case. */
export interface AssetIndex {
  byId(id: string): IndexedAsset | null;
  /** Every asset with the ticker, sorted by id. */
  bySymbol(symbol: string): IndexedAsset[];
  /** The most similar id; null when none is similar. */
  nearest(id: string): string | null;
}

/** Something for each dataset that a snapshot holds. */
export type ByDataset<T> = Readonly<Record<SnapshotDatasetName, T>>;

export function byDataset<T>(make: (name: SnapshotDatasetName, dataset: Dataset) => T): ByDataset<T> {
  const entries = SNAPSHOT_DATASETS.map(dataset => [dataset.name, make(dataset.name, dataset)]);
  return Object.fromEntries(entries) as ByDataset<T>; // fromEntries forgets the names
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

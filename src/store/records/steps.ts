// Transactions on the small tables of a store, written once for both databases. Each is a generator that yields statements and receives
// their results: SQLite runs it from beginning to end without a pause, so that no other caller gets into its transaction, and PostgreSQL
// waits for each result.

import type { Asset, AssetNumber } from '../../domain/asset.ts';

export type Value = string | number | null | Uint8Array;

export type Steps<T> = Generator<Statement, T, unknown>;
type Statement = (on: Executor) => unknown;
/** SQLite's results are there at once. */
export type Result<T> = T | Promise<T>;

/** Runs transactions; the adapter knows how. */
export interface Records {
  /** Only reads, perhaps from a standby. With an asset: reads what belongs to it. */
  query<T>(steps: () => Steps<T>, asset?: AssetNumber): Promise<T>;
  /** The same, and everything that it reads is of one moment. */
  read<T>(steps: () => Steps<T>): Promise<T>;
  /** Only reads, never from a standby. */
  readNewest<T>(steps: () => Steps<T>): Promise<T>;
  /** Does not wait for other writers: each statement is safe beside the same statement of another process. */
  change<T>(steps: () => Steps<T>): Promise<T>;
  /** One at a time, whichever process it is in: what it has read stays true until it has written. */
  write<T>(steps: () => Steps<T>): Promise<T>;
  keysVersion(): Promise<number>;
}

/** A row by the names of its fields. */
export type Fields = Readonly<Record<string, unknown>>;

export interface RecordTable {
  readonly name:
    | 'loads'
    | 'rejects'
    | 'api_keys'
    | 'usage'
    | 'alerts'
    | 'deliveries'
    | 'live_ticks'
    | 'profiles'
    | 'sources'
    | 'source_blocks'
    | 'unmerged'
    | 'price_rules'
    | 'corrections'
    | 'actions'
    | 'findings'
    | 'acceptances'
    | 'checks'
    | 'fact_blocks'
    | 'rewritten';
  readonly columns: readonly Column[];
  /** The columns of the primary key. */
  readonly key: readonly Column[];
}

export interface Column {
  readonly name: string;
  /** In a row, `timestamptz` is ISO 8601, and `json` the parsed value. */
  readonly type: 'int' | 'bigint' | 'float8' | 'text' | 'boolean' | 'timestamptz' | 'json' | 'bytea';
  /** Its name in a row. */
  readonly field: string;
}

/** What an asset has now. */
export type CurrentFacts = Pick<Asset, 'assetNumber' | 'rank' | 'supply'>;

/** What an adapter does: the statements of a table (see tables.ts), and what the databases do in different ways. */
export interface Executor {
  rows(table: RecordTable, rest: string, values: readonly Value[]): Result<readonly Fields[]>;
  rowsOf(
    table: RecordTable,
    column: string,
    of: readonly Value[],
    rest: string,
    values: readonly Value[],
  ): Result<readonly Fields[]>;
  /** Of each of these values of the first key column, the row with the largest second one up to a bound. */
  newest(table: RecordTable, of: readonly (readonly [value: number, bound: number])[]): Result<readonly Fields[]>;
  select(table: RecordTable, what: string, rest: string, values: readonly Value[]): Result<readonly unknown[][]>;
  add(table: RecordTable, rows: readonly Fields[]): Result<number>;
  put(table: RecordTable, rows: readonly Fields[]): Result<void>;
  update(table: RecordTable, row: Fields, changes: Fields): Result<void>;
  increase(table: RecordTable, rows: readonly Fields[]): Result<readonly Fields[]>;
  remove(table: RecordTable, rest: string, values: readonly Value[]): Result<number>;
  /** Other processes learn of the change when the transaction has ended. */
  notify(): Result<void>;
  /** And notifies. */
  raiseKeysVersion(): Result<void>;
  /** Fails if API keys are missing, or are older than those that were read before. */
  checkKeys(count: number): Result<void>;
  /** Fails if one of them does not exist. */
  requireAssets(assets: readonly AssetNumber[]): Result<void>;
  markPending(assets: readonly AssetNumber[]): Result<void>;
  /** Of the assets that have a rank or a supply. */
  currentFacts(): Result<readonly CurrentFacts[]>;
}

/** One statement: `yield* run(on => on.notify())`. */
export function* run<T>(statement: (on: Executor) => Result<unknown>): Steps<T> {
  return (yield statement) as T; // the adapter gives the result of this statement
}

// Transactions on the small tables of a store, written once for both databases. Each is a generator that yields statements and receives
// their results: SQLite runs it from beginning to end without a pause, so that no other caller gets into its transaction, and PostgreSQL
// waits for each result.

import type { AssetNumber } from '../../domain/asset.ts';
import type { AnyTable, Table } from './tables.ts';

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

/** What an adapter does for the functions below, and what the databases do in different ways. */
export interface Executor {
  rows(table: AnyTable, rest: string, values: readonly Value[]): Result<readonly Fields[]>;
  rowsOf(
    table: AnyTable,
    field: string,
    of: readonly Value[],
    rest: string,
    values: readonly Value[],
  ): Result<readonly Fields[]>;
  select(table: AnyTable, what: string, rest: string, values: readonly Value[]): Result<readonly unknown[][]>;
  add(table: AnyTable, rows: readonly Fields[]): Result<number>;
  put(table: AnyTable, rows: readonly Fields[]): Result<void>;
  update(table: AnyTable, row: Fields, changes: Fields): Result<void>;
  increase(table: AnyTable, rows: readonly Fields[], fields: readonly string[]): Result<readonly Fields[]>;
  remove(table: AnyTable, rest: string, values: readonly Value[]): Result<number>;
  /** Other processes learn of the change when the transaction has ended. */
  notify(): Result<void>;
  /** And notifies. */
  raiseKeysVersion(): Result<void>;
  /** Fails if API keys are missing, or are older than those that were read before. */
  checkKeys(count: number): Result<void>;
  /** Fails if one of them does not exist. */
  requireAssets(assets: readonly AssetNumber[]): Result<void>;
  markPending(assets: readonly AssetNumber[]): Result<void>;
}

/** One statement: `yield* run(on => on.notify())`. */
export function* run<T>(statement: (on: Executor) => Result<unknown>): Steps<T> {
  return (yield statement) as T; // the adapter gives the result of this statement
}

// `rest` follows `FROM table`: portable SQL with the names of tables.ts; `$1` is the first of the values.

export function rows<Row>(table: Table<Row>, rest: string, ...values: Value[]): Steps<readonly Row[]> {
  return run(on => on.rows(table, rest, values));
}

/** Those whose field is one of these values, in any order. `rest` is a further condition, with its values from `$2` on. */
export function rowsOf<Row>(
  table: Table<Row>,
  field: keyof Row & string,
  of: readonly Value[],
  rest = '',
  ...values: Value[]
): Steps<readonly Row[]> {
  return run(on => on.rowsOf(table, field, of, rest, values));
}

/** Other expressions than whole rows, such as counts. */
export function select<Row>(table: AnyTable, what: string, rest: string, ...values: Value[]): Steps<readonly Row[]> {
  return run(on => on.select(table, what, rest, values));
}

/** New rows, which the database numbers in their order. Returns the last number. */
export function add<Row, Key extends keyof Row>(
  table: Table<Row, Key>,
  added: readonly Omit<Row, Key>[],
): Steps<number> {
  return run(on => on.add(table, added as readonly Fields[]));
}

/** New rows, or new values of all columns of rows that exist. */
export function put<Row>(table: Table<Row>, changed: readonly Row[]): Steps<void> {
  return run(on => on.put(table, changed as readonly Fields[]));
}

/** Writes only what changes: the role of a server may not write the other columns. */
export function update<Row>(table: Table<Row>, row: Row, changes: Partial<Row>): Steps<void> {
  return run(on => on.update(table, row as Fields, changes as Fields));
}

/** Adds these numbers to those of rows that exist. Returns the rows as they are then. */
export function increase<Row>(
  table: Table<Row>,
  added: readonly Row[],
  fields: readonly (keyof Row & string)[],
): Steps<readonly Row[]> {
  return run(on => on.increase(table, added as readonly Fields[], fields));
}

/** Returns how many rows there were. */
export function remove(table: AnyTable, rest: string, ...values: Value[]): Steps<number> {
  return run(on => on.remove(table, rest, values));
}

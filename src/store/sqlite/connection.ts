// One open SQLite database: typed queries and transactions. Every transaction is synchronous, so that two callers in one process
// never share one. The exception is `lasting`, on a connection of its own.

import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '../port/store.ts';
import { fileReplaced, sqliteFault } from './faults.ts';

/** How long to wait until another process ends its transaction; the longest takes a second or two. */
export const BUSY_MILLIS = 15_000;

const RETRY_MILLIS = 5;

export interface Query<Row> {
  all(...params: SQLInputValue[]): Row[];
  get(...params: SQLInputValue[]): Row | undefined;
  /** One row at a time, for results that are too large to hold. */
  each(...params: SQLInputValue[]): Iterable<Row>;
}

export interface Command {
  /** Returns how many rows changed. */
  run(...params: SQLInputValue[]): number;
}

export class Connection {
  readonly path: string;
  /** Identifies the file itself, whatever its path is. */
  readonly file: string | null;
  /** The user may not write the file or beside it. */
  readonly readOnly: boolean;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync, path: string, readOnly = false) {
    this.#db = db;
    this.path = path;
    this.readOnly = readOnly;
    this.file = fileAt(path);
  }

  /** Rows come as arrays, which is twice as fast as objects. */
  query<Row extends readonly SQLOutputValue[]>(sql: string): Query<Row> {
    const statement = this.#preparedLater(sql);
    // The tables are STRICT, so cells have the types of their columns; node:sqlite types rows as objects even so.
    return {
      all: (...params) => statement().all(...params) as unknown as Row[],
      get: (...params) => statement().get(...params) as unknown as Row | undefined,
      each: (...params) => statement().iterate(...params) as unknown as Iterable<Row>,
    };
  }

  command(sql: string): Command {
    const statement = this.#preparedLater(sql);
    return { run: (...params) => Number(statement().run(...params).changes) };
  }

  /** At its first use: a server reads each new close on a connection of its own, with few of the statements. */
  #preparedLater(sql: string): () => StatementSync {
    let statement: StatementSync | undefined;
    return () => {
      if (statement === undefined) {
        statement = this.#db.prepare(sql);
        statement.setReturnArrays(true);
      }
      return statement;
    };
  }

  /** Statements without parameters or results. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Fails when the path now leads to another file or to none: this process would read and write a file that no other process sees. */
  requireFile(): void {
    if (fileAt(this.path) !== this.file) throw fileReplaced(this.path);
  }

  /** Everything that `work` reads is of one point in time. */
  read<T>(work: () => T): T {
    return this.#transaction(() => this.#db.exec('BEGIN'), work);
  }

  write<T>(work: () => T): T {
    return this.#transaction(() => this.#db.exec('BEGIN IMMEDIATE'), work);
  }

  /**
   * As `write`, but without blocking the thread while another process writes: SQLite itself would block it, and a server that
   * counts requests has other requests to answer.
   */
  async writeWhenFree<T>(work: () => T): Promise<T> {
    const giveUp = performance.now() + BUSY_MILLIS;
    for (;;) {
      try {
        return this.#transaction(() => this.#beginAtOnce(), work);
      } catch (error) {
        const busy = error instanceof StoreError && error.code === 'busy';
        if (!busy || performance.now() > giveUp) throw error;
      }
      await wait(RETRY_MILLIS);
    }
  }

  /**
   * One transaction around everything that `work` does on this connection, which must have no other user: reads and writes inside
   * it begin no transaction of their own.
   */
  async lasting<T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> {
    try {
      this.#db.exec(kind === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
      const result = await work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw sqliteFault(error, this.path);
    }
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #beginAtOnce(): void {
    this.#db.exec('PRAGMA busy_timeout = 0');
    try {
      this.#db.exec('BEGIN IMMEDIATE');
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${BUSY_MILLIS}`);
    }
  }

  #transaction<T>(begin: () => void, work: () => T): T {
    const within = this.#db.isTransaction;
    try {
      if (!within) {
        this.requireFile();
        begin();
      }
      const result = work();
      if (!within) this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite rolls back by itself after some errors, such as a full disk.
      if (!within && this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw sqliteFault(error, this.path);
    }
  }
}

function fileAt(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

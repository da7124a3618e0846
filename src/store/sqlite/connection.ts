// One open SQLite database: typed queries and transactions. Every transaction runs in one go, without waiting for anything
// else, so that two callers in one process never meet inside one. The exception is `lasting`, on a connection of its own.

import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '../store.ts';
import { exchanged, sqliteFault } from './faults.ts';

/** How long one waits for another process to end its transaction; the longest takes a second or two. */
export const BUSY_MILLIS = 15_000;

const RETRY_MILLIS = 5;

export interface Query<Row> {
  all(...params: SQLInputValue[]): Row[];
  get(...params: SQLInputValue[]): Row | undefined;
}

export interface Command {
  /** Returns how many rows changed. */
  run(...params: SQLInputValue[]): number;
}

export class Connection {
  readonly path: string;
  /** Names the file itself, whatever its path is. */
  readonly file: string | null;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.path = path;
    this.file = fileAt(path);
  }

  /** Rows come as arrays, which is twice as fast as objects. */
  query<Row extends readonly SQLOutputValue[]>(sql: string): Query<Row> {
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    // The tables are STRICT, so cells have the types of their columns; node:sqlite types rows as objects even so.
    return {
      all: (...params) => statement.all(...params) as unknown as Row[],
      get: (...params) => statement.get(...params) as unknown as Row | undefined,
    };
  }

  command(sql: string): Command {
    const statement = this.#db.prepare(sql);
    return { run: (...params) => Number(statement.run(...params).changes) };
  }

  /** Statements without parameters or results. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Fails when another file has the path now, or none: whoever went on would read and write what nobody else sees. */
  requireFile(): void {
    if (fileAt(this.path) !== this.file) throw exchanged(this.path);
  }

  /** Everything that `work` reads is of one moment. */
  read<T>(work: () => T): T {
    return this.#transaction(() => this.#db.exec('BEGIN'), work);
  }

  write<T>(work: () => T): T {
    return this.#transaction(() => this.#db.exec('BEGIN IMMEDIATE'), work);
  }

  /**
   * As `write`, but while another process writes, this one goes on with other work: SQLite itself waits by stopping the
   * thread, and a server that counts requests has others to answer meanwhile.
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
   * One transaction around everything that `work` does on this connection, which nobody else may use meanwhile: reads and
   * writes inside it begin none of their own.
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
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if (!within && this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw sqliteFault(error, this.path);
    }
  }
}

function fileAt(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

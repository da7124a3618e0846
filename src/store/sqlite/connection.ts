// One open SQLite database: typed queries and transactions. Every transaction runs in one go, without waiting for anything
// else, so that two callers in one process never meet inside one.

import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { sqliteFault } from './faults.ts';

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
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.path = path;
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

  /** Everything that `work` reads is of one moment. */
  read<T>(work: () => T): T {
    return this.#transaction('BEGIN', work);
  }

  write<T>(work: () => T): T {
    return this.#transaction('BEGIN IMMEDIATE', work);
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #transaction<T>(begin: string, work: () => T): T {
    try {
      this.#db.exec(begin);
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw sqliteFault(error, this.path);
    }
  }
}

// A table whose rows end with a checksum of their other cells and of the table's name. The checksum is compared whenever a row is
// read: SQLite itself notices only damage that breaks the structure of its file, and would serve a changed bit as a price.

import { crc32 } from 'node:zlib';
import { rowMismatch } from './checksum-mismatch.ts';
import type { Command, Connection, Query } from './connection.ts';
import type { TableName } from './layout.ts';

export type Blob = Uint8Array<ArrayBuffer>;
export type Cell = string | number | null | Blob;

/** Little-endian in the database, like the memory of every machine that Node runs on. */
export type Numbers = Float64Array<ArrayBuffer>;

const NUMBER_BYTES = 8;
/** Rows per statement: with one row each, half of the time goes into starting statements. */
const ROWS_AT_ONCE = 100;

/** `Row` has all columns but the checksum, in the order of the table; its first cell identifies it in error messages. */
export class CheckedTable<Row extends readonly Cell[]> {
  readonly name: TableName;
  readonly #db: Connection;
  #replace: Command | undefined;
  #replaceMany: Command | undefined;

  constructor(db: Connection, name: TableName) {
    this.#db = db;
    this.name = name;
  }

  /** The rows that fit what follows `SELECT * FROM table`, each compared with its checksum. */
  select(rest: string): Query<Row> {
    const query = this.#db.query<Cell[]>(`SELECT * FROM ${this.name} ${rest}`);
    const check = (row: Cell[]) => this.#checked(row);
    return {
      all: (...params) => query.all(...params).map(check),
      get: (...params) => {
        const row = query.get(...params);
        return row && check(row);
      },
      each: function* (...params) {
        for (const row of query.each(...params)) yield check(row);
      },
    };
  }

  put(row: Row): void {
    this.#replace ??= this.#replaceOf(1, row);
    this.#replace.run(...withChecksum(this.name, row));
  }

  putAll(rows: readonly Row[]): void {
    let row = 0;
    for (; row + ROWS_AT_ONCE <= rows.length; row += ROWS_AT_ONCE) {
      this.#replaceMany ??= this.#replaceOf(ROWS_AT_ONCE, rows[row]!);
      this.#replaceMany.run(...rows.slice(row, row + ROWS_AT_ONCE).flatMap(one => withChecksum(this.name, one)));
    }
    for (; row < rows.length; row++) this.put(rows[row]!);
  }

  /** So many rows like this one. */
  #replaceOf(count: number, row: Row): Command {
    const tuple = `(${Array(row.length + 1)
      .fill('?')
      .join(', ')})`;
    return this.#db.command(`REPLACE INTO ${this.name} VALUES ${Array(count).fill(tuple).join(', ')}`);
  }

  #checked(row: Cell[]): Row {
    const stored = row.pop();
    if (stored !== checksumOf(this.name, row)) throw rowMismatch(this.name, row[0]);
    return row as readonly Cell[] as Row; // its cells are those that were written
  }
}

function withChecksum(table: TableName, row: readonly Cell[]): Cell[] {
  return [...row, checksumOf(table, row)];
}

function checksumOf(table: TableName, row: readonly Cell[]): number {
  let blobs = 0;
  const others: Cell[] = [table];
  for (const cell of row) {
    if (cell instanceof Uint8Array) blobs = crc32(cell, blobs);
    else others.push(cell);
  }
  // Signed, because SQLite stores nearly all signed integers of 32 bits in 4 bytes: a row that keeps its length is overwritten in place.
  return crc32(JSON.stringify(others), blobs) | 0;
}

export function blobOf(numbers: Numbers): Blob {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** In the same memory. */
export function numbersOf(blob: Blob): Numbers {
  return new Float64Array(blob.buffer, blob.byteOffset, blob.byteLength / NUMBER_BYTES);
}

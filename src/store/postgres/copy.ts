// Many rows by COPY in PostgreSQL's binary form, in and out: several times as fast as INSERT and SELECT, which write bytes as
// text of twice their length.

import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Client, Transaction } from './connection.ts';

/** Bytes are sent in pieces of about this many, so that the server works while the next piece is made. */
const PIECE = 256 * 1024;
/** More than a row takes, its bytes included. */
const ROOM = 4096;

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** Rows in the making: `row` first, then each of its columns in turn. */
export class CopyRows {
  #buffer = Buffer.allocUnsafe(PIECE + ROOM);
  #at = SIGNATURE.copy(this.#buffer);
  readonly #pieces: Buffer[] = [];

  row(columns: number): void {
    if (this.#at > PIECE) this.#cut();
    this.#at = this.#buffer.writeInt16BE(columns, this.#at);
  }

  integer(value: number): void {
    this.#at = this.#buffer.writeInt32BE(4, this.#at);
    this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  long(value: number): void {
    this.#at = this.#buffer.writeInt32BE(8, this.#at);
    this.#at = this.#buffer.writeBigInt64BE(BigInt(value), this.#at);
  }

  /** NaN is NULL. */
  double(value: number): void {
    this.#at = this.#buffer.writeInt32BE(Number.isNaN(value) ? -1 : 8, this.#at);
    if (!Number.isNaN(value)) this.#at = this.#buffer.writeDoubleBE(value, this.#at);
  }

  bytes(value: Uint8Array | null): void {
    this.#at = this.#buffer.writeInt32BE(value?.length ?? -1, this.#at);
    if (value === null) return;
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
  }

  /** What is to be sent. */
  end(): readonly Buffer[] {
    this.#at = this.#buffer.writeInt16BE(-1, this.#at);
    this.#cut();
    return this.#pieces;
  }

  #cut(): void {
    this.#pieces.push(this.#buffer.subarray(0, this.#at));
    this.#buffer = Buffer.allocUnsafe(PIECE + ROOM);
    this.#at = 0;
  }
}

export async function copyInto(sql: Transaction, table: string, rows: CopyRows): Promise<void> {
  const query = sql.unsafe(`COPY ${table} FROM STDIN (FORMAT binary)`);
  const failed = failureOf(query);
  const stream = await query.writable();
  await Promise.race([failed, send(stream, rows.end())]);
}

async function send(stream: Writable, pieces: readonly Buffer[]): Promise<void> {
  const finished = once(stream, 'finish');
  for (const piece of pieces) if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), finished]);
  stream.end();
  await finished;
}

/** Rows as they arrive: each of a row's columns is to be read in turn. */
export class CopiedRow {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#at = bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE) ? SIGNATURE.length : 0;
  }

  /** Goes to the next row; false after the last one. */
  next(): boolean {
    if (this.#at >= this.#bytes.length) return false;
    const columns = this.#bytes.readInt16BE(this.#at);
    this.#at += 2;
    return columns >= 0;
  }

  /** NULL is NaN. */
  integer(): number {
    return this.bytes()?.readInt32BE() ?? Number.NaN;
  }

  double(): number {
    return this.bytes()?.readDoubleBE() ?? Number.NaN;
  }

  bytes(): Buffer | null {
    const length = this.#bytes.readInt32BE(this.#at);
    this.#at += 4;
    if (length < 0) return null;
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** Gives each row that a SELECT finds to `take`. It takes no parameters: what stands in it must be numbers only. */
export async function copyOut(
  sql: Client | Transaction,
  select: string,
  take: (row: CopiedRow) => void,
): Promise<void> {
  const query = sql.unsafe(`COPY (${select}) TO STDOUT (FORMAT binary)`);
  const failed = failureOf(query);
  const stream = await query.readable();
  try {
    await Promise.race([failed, receive(stream, take)]);
  } finally {
    // postgres.js 3.4.9 stops reading from its socket after a large piece until more is asked for. Nobody does after the last
    // piece, and the next query on that connection would never be answered.
    stream._read(0);
  }
}

async function receive(stream: Readable, take: (row: CopiedRow) => void): Promise<void> {
  // The client passes on whole messages, and the server puts a row into one: no row is cut in two.
  for await (const piece of stream) {
    const row = new CopiedRow(piece as Buffer); // the stream has no encoding
    while (row.next()) take(row);
  }
}

/**
 * Rejects when the query fails after it gave its stream. postgres.js 3.4.9 (issue 1173) then rejects a promise that is already
 * resolved, so that the error would be lost and the stream never finish.
 */
function failureOf(query: object): Promise<never> {
  // Every query has this method, which its connection calls; it is not in the types.
  const internal = query as { reject(error: unknown): void };
  const reject = internal.reject;
  const failed = new Promise<never>((_, fail) => {
    internal.reject = error => {
      reject(error);
      fail(error);
    };
  });
  // Nobody may be listening yet, or any more.
  failed.catch(() => {});
  return failed;
}

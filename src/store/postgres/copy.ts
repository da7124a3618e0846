// Bulk loading by COPY in PostgreSQL's binary form: several times as fast as INSERT, and numbers need not become text.

import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Transaction } from './connection.ts';

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

// Disconnects clients that read their responses too slowly. A timeout for silence is not enough: a client that reads a few bytes now
// and then is never silent, and keeps a response and its data in memory for hours.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ReadingLimits {
  readonly stalledMs: number;
  readonly slowestBytesPerSecond: number;
}

/** The parts of a socket that are checked. */
export interface ReadConnection {
  /** Bytes that wait to be sent, and bytes written in all, these included. */
  readonly writableLength: number;
  readonly bytesWritten: number;
  resetAndDestroy(): unknown;
  destroy(): unknown;
}

/** Bytes that the operating system has taken, and when that number last grew. */
interface Progress {
  readonly handed: number;
  readonly since: number;
}

export class SlowReaders {
  readonly #limits: ReadingLimits;
  /** Null while nothing waits to be sent. */
  readonly #connections = new Map<ReadConnection, Progress | null>();

  constructor(limits: ReadingLimits) {
    this.#limits = limits;
  }

  add(connection: ReadConnection): void {
    this.#connections.set(connection, null);
  }

  remove(connection: ReadConnection): void {
    this.#connections.delete(connection);
  }

  /** Checks all connections; `now` in milliseconds. */
  check(now: number): void {
    const { stalledMs, slowestBytesPerSecond } = this.#limits;
    for (const [connection, last] of this.#connections) {
      const left = connection.writableLength;
      if (left === 0) {
        if (last !== null) this.#connections.set(connection, null);
        continue;
      }
      // Grows when a whole piece is sent: 64 kB of a long response, or all of a short one.
      const handed = connection.bytesWritten - left;
      if (last?.handed !== handed) this.#connections.set(connection, { handed, since: now });
      else if (now - last.since > Math.max(stalledMs, (left / slowestBytesPerSecond) * 1000)) cutOff(connection);
    }
  }
}

/**
 * Resets the connection if a response is incomplete: otherwise the operating system would keep the rest and go on offering it.
 * Without a reset if everything was written, so that it still arrives.
 */
export function cutOff(connection: ReadConnection): void {
  // `resetAndDestroy` alone waits until everything is sent.
  if (connection.writableLength > 0) connection.resetAndDestroy();
  connection.destroy();
}

export function cutSlowReaders(server: Server, limits: ReadingLimits, checkMs: number): void {
  const readers = new SlowReaders(limits);
  server.on('connection', (socket: Socket) => {
    readers.add(socket);
    socket.once('close', () => readers.remove(socket));
  });
  setInterval(() => readers.check(performance.now()), checkMs).unref();
}

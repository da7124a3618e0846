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

/** Each connection is looked at once in so many checks: thousands of streams are open at once, and requests wait meanwhile. */
const CHECKS_PER_ROUND = 10;

/** What is known of a connection: bytes that the operating system has taken, and when that number last grew. */
interface Progress {
  readonly connection: ReadConnection;
  /** Negative while nothing waits to be sent. */
  handed: number;
  since: number;
}

export class SlowReaders {
  readonly #limits: ReadingLimits;
  readonly #watched = new Map<ReadConnection, Progress>();
  /** The connections that this round looks at. A copy, because an iterator over a map makes an object per connection. */
  #round: readonly Progress[] = [];
  #looked = 0;

  constructor(limits: ReadingLimits) {
    this.#limits = limits;
  }

  add(connection: ReadConnection): void {
    this.#watched.set(connection, { connection, handed: -1, since: 0 });
  }

  remove(connection: ReadConnection): void {
    this.#watched.delete(connection);
  }

  /** Checks a part of the connections; `now` in milliseconds. */
  check(now: number): void {
    if (this.#looked >= this.#round.length) [this.#round, this.#looked] = [[...this.#watched.values()], 0];
    const until = this.#looked + Math.ceil(this.#round.length / CHECKS_PER_ROUND);
    for (; this.#looked < until && this.#looked < this.#round.length; this.#looked++) {
      this.#look(this.#round[this.#looked]!, now);
    }
  }

  #look(watched: Progress, now: number): void {
    const { stalledMs, slowestBytesPerSecond } = this.#limits;
    const left = watched.connection.writableLength;
    // Grows when a whole piece is sent: 64 kB of a long response, or all of a short one.
    const handed = left === 0 ? -1 : watched.connection.bytesWritten - left;
    if (watched.handed !== handed) {
      watched.handed = handed;
      watched.since = now;
    } else if (left > 0 && now - watched.since > Math.max(stalledMs, (left / slowestBytesPerSecond) * 1000)) {
      cutOff(watched.connection);
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

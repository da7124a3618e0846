// Cuts off those who take their answers too slowly. A time-out for silence alone does not do: whoever takes a little now and then is
// never silent, and keeps an answer, and the data that it is made of, for hours.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ReadingLimits {
  readonly stalledMs: number;
  readonly slowestBytesPerSecond: number;
}

/** What is looked at of a connection. */
export interface Line {
  /** Bytes that wait, and bytes in all, these included. */
  readonly writableLength: number;
  readonly bytesWritten: number;
  resetAndDestroy(): unknown;
  destroy(): unknown;
}

/** What a line had handed to the system, and when that was last more than before. */
interface Progress {
  readonly handed: number;
  readonly since: number;
}

export class SlowReaders {
  readonly #limits: ReadingLimits;
  /** Null while nothing waits to be taken. */
  readonly #lines = new Map<Line, Progress | null>();

  constructor(limits: ReadingLimits) {
    this.#limits = limits;
  }

  add(line: Line): void {
    this.#lines.set(line, null);
  }

  remove(line: Line): void {
    this.#lines.delete(line);
  }

  /** Looks at all lines; `now` in milliseconds. */
  check(now: number): void {
    const { stalledMs, slowestBytesPerSecond } = this.#limits;
    for (const [line, last] of this.#lines) {
      const left = line.writableLength;
      if (left === 0) {
        if (last !== null) this.#lines.set(line, null);
        continue;
      }
      // Grows whenever a piece is taken whole: 64 kB of a long answer, or all of a short one.
      const handed = line.bytesWritten - left;
      if (last?.handed !== handed) this.#lines.set(line, { handed, since: now });
      else if (now - last.since > Math.max(stalledMs, (left / slowestBytesPerSecond) * 1000)) cutOff(line);
    }
  }
}

/**
 * With a reset where an answer is cut short: the system would keep what it has of it, and go on offering it. Without one where
 * everything was handed over: what is still under way arrives.
 */
export function cutOff(line: Line): void {
  // By itself this one waits until everything is sent.
  if (line.writableLength > 0) line.resetAndDestroy();
  line.destroy();
}

export function cutSlowReaders(server: Server, limits: ReadingLimits, checkMs: number): void {
  const readers = new SlowReaders(limits);
  server.on('connection', (socket: Socket) => {
    readers.add(socket);
    socket.once('close', () => readers.remove(socket));
  });
  setInterval(() => readers.check(performance.now()), checkMs).unref();
}

// Cuts off those who take their answers too slowly. A time-out for silence alone does not do: whoever takes a byte every few seconds
// is never silent, and keeps an answer for hours.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ReadingLimits {
  readonly stalledMs: number;
  readonly slowestBytesPerSecond: number;
  readonly checkMs: number;
}

/**
 * With a reset where an answer is cut short: the system would keep what it has of it, and go on offering it. Without one where
 * everything was handed over: what is still under way arrives.
 */
export function cutOff(line: Socket): void {
  // By itself this one waits until everything is sent.
  if (line.writableLength > 0) line.resetAndDestroy();
  line.destroy();
}

/** What a line had handed to the system, and when that was last more than before. */
interface Progress {
  readonly handed: number;
  readonly since: number;
}

export function cutSlowReaders(server: Server, { stalledMs, slowestBytesPerSecond, checkMs }: ReadingLimits): void {
  const lines = new Set<Socket>();
  const waiting = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    lines.add(socket);
    socket.once('close', () => {
      lines.delete(socket);
      waiting.delete(socket);
    });
  });

  function check(): void {
    const now = performance.now();
    for (const line of lines) {
      const left = line.writableLength;
      if (left === 0) {
        waiting.delete(line);
        continue;
      }
      // Grows whenever one piece is taken whole: 64 kB of a long answer, or the whole of a short one.
      const handed = line.bytesWritten - left;
      const last = waiting.get(line);
      if (last === undefined || last.handed !== handed) waiting.set(line, { handed, since: now });
      else if (now - last.since > Math.max(stalledMs, (left / slowestBytesPerSecond) * 1000)) cutOff(line);
    }
  }

  setInterval(check, checkMs).unref();
}

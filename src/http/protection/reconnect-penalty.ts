// Addresses whose connections were cut for sending without waiting. When one connects again, nothing is read from it for a
// second: a flood that reconnects at once would otherwise cost as much as one that was never cut. Connections that are open
// already, and all other addresses, are not concerned.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a cut is remembered, and how long a new connection then waits. */
const REMEMBER_MS = 5000;
const WAIT_MS = 1000;
/** Addresses remembered; beyond them all are forgotten. */
const ADDRESSES = 10_000;

export class ReconnectPenalty {
  readonly #until = new Map<string, number>();

  remember({ remoteAddress }: Pick<Socket, 'remoteAddress'>, now: number = performance.now()): void {
    if (remoteAddress === undefined) return;
    if (this.#until.size >= ADDRESSES) this.#until.clear();
    this.#until.set(remoteAddress, now + REMEMBER_MS);
  }

  has({ remoteAddress }: Pick<Socket, 'remoteAddress'>, now: number = performance.now()): boolean {
    return remoteAddress !== undefined && (this.#until.get(remoteAddress) ?? 0) > now;
  }

  delay(server: Server): void {
    server.on('connection', (socket: Socket) => {
      if (this.#until.size === 0 || !this.has(socket)) return;
      // The server sets the socket reading once more when this event is over.
      process.nextTick(() => socket.pause());
      setTimeout(() => socket.resume(), WAIT_MS).unref();
    });
  }
}

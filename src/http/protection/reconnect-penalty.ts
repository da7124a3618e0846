// Reconnect penalty: after the server has closed a connection for flooding, it reads nothing for a second from new connections of
// that address. Otherwise a flood that reconnects at once would cost as much as before. Open connections are not affected.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long an address is remembered, and how long its new connections wait. */
const REMEMBER_MS = 5000;
const WAIT_MS = 1000;
/** Addresses remembered; beyond this number all are forgotten. */
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
      // Node resumes the socket after this event.
      process.nextTick(() => socket.pause());
      setTimeout(() => socket.resume(), WAIT_MS).unref();
    });
  }
}

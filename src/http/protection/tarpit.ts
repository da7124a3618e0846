// The tarpit: refusals that are sent late. A client that is refused again and again is slowed down by it, at the cost of one
// timer: nothing more is read from its connection meanwhile.

import type { Socket } from 'node:net';

/** Calls `then` after the wait, with whether the connection is still open. */
export function holdBack(socket: Socket, millis: number, then: (isOpen: boolean) => void): void {
  setTimeout(() => then(!socket.destroyed), millis).unref();
}

// Answers that wait. Whoever is refused over and over is answered late: a client that asks again only when it has an answer
// is slowed down by that, at the cost of a timer. One that does not wait for answers is cut off.

import type { Socket } from 'node:net';

/** Held on one connection at once: more come only from a client that sends without waiting for answers. */
const PER_CONNECTION = 16;
/** Held at once in all: each keeps a request in memory. */
const IN_ALL = 20_000;

export class HeldAnswers {
  readonly #perConnection = new WeakMap<Socket, number>();
  #inAll = 0;
  readonly #onCut: (socket: Socket) => void;

  constructor(onCut: (socket: Socket) => void) {
    this.#onCut = onCut;
  }

  /** Calls `send` after the wait, or `drop` when the line is cut. */
  hold(socket: Socket, millis: number, send: () => void, drop: () => void): void {
    const held = (this.#perConnection.get(socket) ?? 0) + 1;
    if (held > PER_CONNECTION || this.#inAll >= IN_ALL) {
      this.#onCut(socket);
      socket.destroy();
      drop();
      return;
    }
    this.#perConnection.set(socket, held);
    this.#inAll++;
    setTimeout(() => {
      this.#perConnection.set(socket, (this.#perConnection.get(socket) ?? 1) - 1);
      this.#inAll--;
      if (socket.destroyed) drop();
      else send();
    }, millis).unref();
  }
}

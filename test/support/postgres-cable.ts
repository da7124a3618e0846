// Passes bytes on to a database until it resets every connection, as a firewall or a crash does, or holds all of them back, as a machine
// that hangs.

import assert from 'node:assert/strict';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

export class Cable {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #isFrozen = false;

  constructor(target: { host: string; port: number }) {
    this.#server = createServer(near => {
      const far = createConnection(target);
      for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
        this.#sockets.add(socket);
        socket
          .on('error', () => {})
          .once('close', () => {
            this.#sockets.delete(socket);
            other.destroy();
          });
      }
      near.pipe(far).pipe(near);
      if (this.#isFrozen) for (const socket of [near, far]) socket.cork();
    });
  }

  /** Where to connect to instead of to the database. */
  get port(): number {
    const address = this.#server.address();
    assert.ok(address !== null && typeof address === 'object');
    return address.port;
  }

  async open(): Promise<number> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return this.port;
  }

  /** Connections stay and are accepted, and nothing is answered. */
  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.cork();
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const socket of this.#sockets) socket.uncork();
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.#server.close();
    this.reset();
  }
}

// Passes bytes on to a database until it resets every connection, as a firewall or a crash does.

import assert from 'node:assert/strict';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

export class Cable {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

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

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.#server.close();
    this.reset();
  }
}

// Limits the connections from one address. Behind a proxy all clients have its address, and the proxy must limit them.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../wire/network.ts';

/** Closes connections beyond `most` from one address before anything is read. */
export function shareAmongAddresses(server: Server, most: number, onRefused: () => void): void {
  const taken = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (taken.get(network) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      onRefused();
      return;
    }
    taken.set(network, count);
    socket.once('close', () => {
      const left = taken.get(network)! - 1;
      if (left === 0) taken.delete(network);
      else taken.set(network, left);
    });
  });
}

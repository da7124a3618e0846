// Limits the connections from one address. Behind a proxy all clients have its address, and the proxy must limit them.

import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

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

/** For IPv6 the first 64 bits: one customer usually has all addresses that share them. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map(part => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}

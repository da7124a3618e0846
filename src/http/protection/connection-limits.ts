// Limits of a connection: time, bytes, and the number of connections. The server closes a connection that exceeds them, so that slow
// or silent clients cannot exhaust it.

import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionRefusal } from '../observe/http-observer.ts';
import { networkOf } from '../wire/network.ts';
import { cutOff, cutSlowReaders } from './slow-readers.ts';

export interface ConnectionLimits {
  /** For the request line and the headers, from the first byte or from the beginning of the connection. */
  readonly headersMs: number;
  /** For the whole request, its body included. */
  readonly requestMs: number;
  /** Between two requests. Most proxies close a connection after a minute; a server that closes it first could lose a request that
   * the proxy is just sending. */
  readonly idleMs: number;
  /** Without any byte sent or received during a response; and for a client to read what was written, unless
   * `slowestBytesPerSecond` gives it more time for that. */
  readonly stalledMs: number;
  /** Clients that read less are disconnected: each keeps a response and its data in memory. */
  readonly slowestBytesPerSecond: number;
  /** Interval of the checks: short, so that thousands of connections that opened together are not closed in one turn. */
  readonly checkMs: number;
  /** Open at once in this thread; further ones are closed before anything is read. */
  readonly connections: number;
  /** Open at once from one address. */
  readonly perAddress: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 15_000,
  idleMs: 65_000,
  stalledMs: 30_000,
  slowestBytesPerSecond: 2000,
  checkMs: 100,
  connections: 10_000,
  perAddress: 5000,
};

/** The limits of a thread with so many connections. */
export function limitsFor(connections: number): Pick<ConnectionLimits, 'connections' | 'perAddress'> {
  return { connections, perAddress: Math.ceil(connections / 2) };
}

/** Node's parser refuses longer request lines and headers. */
const MAX_HEADER_BYTES = 32 * 1024;

export function serverOptions({ headersMs, requestMs, idleMs, checkMs }: ConnectionLimits): ServerOptions {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
    // Requests without a body, which most are, get no stream for it: a sixth of the time of a small answer.
    optimizeEmptyRequests: true,
  };
}

export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  onRefused: (reason: ConnectionRefusal) => void,
): void {
  server.maxConnections = limits.connections;
  server.on('drop', () => onRefused('full'));
  shareAmongAddresses(server, limits.perAddress, () => onRefused('address'));
  server.setTimeout(limits.stalledMs, cutOff);
  cutSlowReaders(server, limits, limits.checkMs);
}

/** Closes connections beyond `most` from one address before anything is read. Behind a proxy all clients have its address, and the proxy must limit them. */
function shareAmongAddresses(server: Server, most: number, onRefused: () => void): void {
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

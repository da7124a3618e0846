// What a connection may take: time, bytes, and its share of all connections. Whoever is slower, longer or more is cut off, so
// that slow or silent clients cannot use up the service.

import type { Server, ServerOptions } from 'node:http';
import { shareAmongAddresses } from './connections-per-address.ts';
import { cutOff, cutSlowReaders } from './slow-readers.ts';

export interface ConnectionLimits {
  /** For the request line and the headers, from the first byte or from the beginning of the connection. */
  readonly headersMs: number;
  /** For the whole request. Bodies are never read into memory, but they take time to arrive. */
  readonly requestMs: number;
  /** Between two requests. Longer than the minute after which most proxies close a line themselves: a proxy that finds it closed
   * by us just when it sends would have to tell its client so. */
  readonly idleMs: number;
  /** Without any byte sent or received while an answer is on its way; and for a reader to take what was put on the line, unless
   * that is more than `slowestBytesPerSecond` gives it time for. */
  readonly stalledMs: number;
  /** Readers that take less are cut off: each keeps an answer, and the data that it is made of, in memory. */
  readonly slowestBytesPerSecond: number;
  /** How often those that take too long are looked for: often, so that thousands that came together are not found together. */
  readonly checkMs: number;
  /** At once, in this thread; further ones are closed unheard. */
  readonly connections: number;
  /** Of one address, so that it cannot take all of them. */
  readonly perAddress: number;
}

/** Why a connection was closed unheard. */
export type Refusal = 'full' | 'address';

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

/** For a thread that may have so many connections. */
export function limitsFor(connections: number): Pick<ConnectionLimits, 'connections' | 'perAddress'> {
  return { connections, perAddress: Math.ceil(connections / 2) };
}

/** Longer request lines and headers are refused by the parser, before any of our code runs. */
const MAX_HEADER_BYTES = 32 * 1024;

export function serverOptions({ headersMs, requestMs, idleMs, checkMs }: ConnectionLimits): ServerOptions {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
    // Requests without a body, which are all that are served, get no stream for it: a sixth of the time of a small answer.
    optimizeEmptyRequests: true,
  };
}

export function limitConnections(server: Server, limits: ConnectionLimits, onRefused: (reason: Refusal) => void): void {
  server.maxConnections = limits.connections;
  server.on('drop', () => onRefused('full'));
  shareAmongAddresses(server, limits.perAddress, () => onRefused('address'));
  server.setTimeout(limits.stalledMs, cutOff);
  cutSlowReaders(server, limits, limits.checkMs);
}

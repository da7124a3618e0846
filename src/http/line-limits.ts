// What a connection may take: time, bytes, and its share of all connections. Whoever is slower, longer or more is cut off, so
// that slow or silent clients cannot use up the service.

import type { Server, ServerOptions } from 'node:http';

export interface LineLimits {
  /** For the request line and the headers, from the first byte or from the beginning of the connection. */
  readonly headersMs: number;
  /** For the whole request. Bodies are never read into memory, but they take time to arrive. */
  readonly requestMs: number;
  /** Between two requests. Longer than the minute after which most proxies close a line themselves: a proxy that finds it closed
   * by us just when it sends would have to tell its client so. */
  readonly idleMs: number;
  /** Without any byte sent or received while an answer is on its way. A reader that is merely slow makes progress. */
  readonly stalledMs: number;
  /** How often requests that take too long are looked for. */
  readonly checkMs: number;
  /** At once, in this thread; further ones are closed unheard. */
  readonly connections: number;
}

export const LINE_LIMITS: LineLimits = {
  headersMs: 10_000,
  requestMs: 15_000,
  idleMs: 65_000,
  stalledMs: 30_000,
  checkMs: 2000,
  connections: 10_000,
};

/** Longer request lines and headers are refused by the parser, before any of our code runs. */
const MAX_HEADER_BYTES = 32 * 1024;

export function serverOptions({ headersMs, requestMs, idleMs, checkMs }: LineLimits): ServerOptions {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
  };
}

export function limitLines(server: Server, { stalledMs, connections }: LineLimits): void {
  server.setTimeout(stalledMs);
  server.maxConnections = connections;
}

// Where a server listens, and how it ends: what has begun is finished, what is new is refused, and it takes no longer than allowed.

import { once } from 'node:events';
import type { Server } from 'node:http';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Several threads listen on the same port, and the system shares the connections out. */
  readonly reusePort?: boolean;
}

/**
 * Connections that wait to be taken in; the system may allow fewer. Node's 511 overflow when a thousand clients come back at once,
 * and whoever is dropped then tries again only seconds later.
 */
const BACKLOG = 4096;

/** Returns `http://HOST:PORT`. */
export async function listen(server: Server, options: ListenOptions): Promise<string> {
  const listening = once(server, 'listening');
  server.listen({ ...options, backlog: BACKLOG });
  await listening;
  return addressOf(server, options.host);
}

/** Connections without a request are closed over and over, because those that finish one become idle. */
const SWEEP_MS = 20;

/** After `graceMs` the connections that are left are cut. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no address');
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}

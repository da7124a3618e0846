// Starts and stops listening. A server that stops finishes the responses that have begun, within a grace period.

import { once } from 'node:events';
import type { Server } from 'node:http';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Several threads listen on the same port, and the operating system distributes the connections. */
  readonly reusePort?: boolean;
}

/**
 * Connections that wait to be accepted; the operating system may allow fewer. Node's default of 511 overflows when a thousand
 * clients reconnect at once, and a dropped client tries again only seconds later.
 */
const BACKLOG = 4096;

/** Returns `http://HOST:PORT`. */
export async function listen(server: Server, options: ListenOptions): Promise<string> {
  const listening = once(server, 'listening');
  server.listen({ ...options, backlog: BACKLOG });
  await listening;
  return addressOf(server, options.host);
}

/** Idle connections are closed at this interval, because connections become idle when their response ends. */
const SWEEP_MS = 20;

/** Closes the remaining connections after `graceMs`. */
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

// Keeps two servers from sharing a port by accident. The threads of one server share theirs on purpose (SO_REUSEPORT), and the
// system would let in the threads of any other server of the same user.

import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A server holds the lock only while its threads begin to listen, which takes milliseconds. */
const LOCK_RETRY_MS = 10;
const LOCK_WAIT_MS = 10_000;

/** Another process keeps the lock: a server that hangs, or a program of some local user. */
export class PortLockedError extends Error {
  /** As `ss` prints it. */
  readonly lock: string;

  constructor(lock: string) {
    super(`another process keeps the lock ${lock}`);
    this.lock = lock;
  }
}

/** Fails with EADDRINUSE when the port is in use; finds a free one for port 0. */
export async function probePort(host: string, port: number): Promise<number> {
  const probe = await listening({ host, port });
  const address = probe.address();
  await closed(probe);
  if (address === null || typeof address === 'string') throw new Error('the probe has no port');
  return address.port;
}

/**
 * Lets `listen` open the port while no other server can do the same, or fails with EADDRINUSE or `PortLockedError`. Without the lock, two servers that
 * start together would both find the port free before either of them listens.
 */
export async function claimPort<T>(
  host: string,
  port: number,
  listen: (port: number) => Promise<T>,
  waitMs: number = LOCK_WAIT_MS,
): Promise<T> {
  const wanted = port === 0 ? await probePort(host, 0) : port;
  const lock = await lockPort(wanted, waitMs);
  try {
    await probePort(host, wanted);
    return await listen(wanted);
  } finally {
    if (lock !== null) await closed(lock);
  }
}

/**
 * An abstract Unix socket: it has the scope of ports (the network namespace), and the system frees it with its process. Only Linux has
 * them. Elsewhere a server has one thread, and the system itself keeps the port from being shared.
 */
async function lockPort(port: number, waitMs: number): Promise<Server | null> {
  if (process.platform !== 'linux') return null;
  const name = `tidemark-port-${port}`;
  const giveUp = performance.now() + waitMs;
  for (;;) {
    try {
      return await listening({ path: `\0${name}` });
    } catch {
      if (performance.now() > giveUp) throw new PortLockedError(`@${name}`);
      await delay(LOCK_RETRY_MS);
    }
  }
}

async function listening(place: { host: string; port: number } | { path: string }): Promise<Server> {
  const server = createServer();
  server.listen(place);
  await once(server, 'listening');
  return server;
}

async function closed(server: Server): Promise<void> {
  const end = once(server, 'close');
  server.close();
  await end;
}

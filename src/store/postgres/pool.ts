// Connections to one PostgreSQL host: a shared pool, and dedicated connections that one caller holds.

import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { badUrl, type Sql } from './connection.ts';
import { lostConnection, Session, TYPES } from './session.ts';
import { coded, HostSockets } from './socket.ts';

/** For what is under way; a connection to a host that hangs never ends by itself. */
const CLOSE_MILLIS = 1_000;

export interface PoolOptions {
  /** Shared connections at most; more work waits for one. */
  readonly max: number;
  /** Whether there are other hosts of the same database. */
  readonly isOneOfSeveral: boolean;
}

/** A connection that is its caller's own. */
export interface DedicatedConnection {
  readonly sql: Sql;
  /** Aborted when the connection has ended, for whatever reason. */
  readonly closed: AbortSignal;
  onNotification(call: () => void): void;
  end(): Promise<void>;
}

export class Pool {
  readonly user: string;
  /** `HOST:PORT`. */
  readonly address: string;
  readonly database: string;
  readonly #config: pg.ClientConfig;
  readonly #pool: pg.Pool;
  readonly #sockets: HostSockets;

  constructor(url: string, { max, isOneOfSeveral }: PoolOptions) {
    const { host, port, user = '', database = '', ssl } = parsed(url);
    this.user = user;
    this.address = `${host}:${port}`;
    this.database = database;
    this.#sockets = new HostSockets({ encrypted: Boolean(ssl), isOneOfSeveral });
    this.#config = {
      connectionString: likeLibpq(url),
      application_name: 'tidemark',
      // To compile a statement takes longer than any statement here runs.
      options: '-c jit=off',
      keepAlive: true,
      types: TYPES,
      stream: () => this.#sockets.create(),
    };
    this.#pool = new pg.Pool({ ...this.#config, max });
    // A connection that breaks while it is idle is replaced when it is needed.
    this.#pool.on('error', () => {});
  }

  /** Statements on one connection, each a transaction of its own. */
  use<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#session(({ sql }) => work(sql));
  }

  /** `mode` follows BEGIN. Commits when `work` is done; rolls back when it fails. */
  transaction<T>(mode: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#session(async session => {
      try {
        await session.sql.script(`BEGIN ${mode}`);
        const result = await work(session.sql);
        await session.commit();
        return result;
      } catch (error) {
        await session.rollback();
        throw error;
      }
    });
  }

  /** A connection of the caller's own. */
  async connect(): Promise<DedicatedConnection> {
    const client = new pg.Client(this.#config);
    const closed = new AbortController();
    client.once('end', () => closed.abort());
    client.on('error', () => {});
    await client.connect().catch(error => this.#explain(error));
    const session = new Session(client);
    return {
      sql: session.sql,
      closed: closed.signal,
      onNotification: call => void client.on('notification', call),
      end: async () => {
        if (closed.signal.aborted) return;
        const ended = once(closed.signal, 'abort');
        client.end().catch(() => {});
        await Promise.race([ended, wait(CLOSE_MILLIS, undefined, { ref: false })]);
      },
    };
  }

  async #session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch(error => this.#explain(error));
    const session = new Session(client);
    try {
      return await work(session);
    } finally {
      session.end();
      client.release(session.broken ?? false);
    }
  }

  /** The driver reports some failures of a socket in words of its own, without what the socket knows. */
  #explain(error: unknown): never {
    const known = error instanceof Error && 'code' in error;
    throw (known ? null : this.#sockets.failure) ?? lostConnection(error);
  }

  /** Ends every connection at once; who waits for an answer gets an error. */
  hangUp(why?: Error): void {
    this.#sockets.destroyAll(why);
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await Promise.race([this.#pool.end(), wait(CLOSE_MILLIS, undefined, { ref: false })]);
    this.hangUp(coded('ECONNRESET', 'the store was closed'));
  }
}

/** As the driver reads it. */
function parsed(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: likeLibpq(url) });
  } catch (error) {
    throw badUrl(error);
  }
}

/** `sslmode` as `psql` and every other client understands it: `require` encrypts, `verify-full` also checks the certificate. */
function likeLibpq(url: string): string {
  if (!/[?&]sslmode=/.test(url) || /[?&]uselibpqcompat=/.test(url)) return url;
  return `${url}&uselibpqcompat=true`;
}

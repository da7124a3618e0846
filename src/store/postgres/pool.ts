// Connections to one PostgreSQL host: a shared pool, and dedicated connections that one caller holds.

import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Sql } from './database.ts';
import { lostConnection, Session, TYPES } from './session.ts';
import { SessionSetup } from './session-setup.ts';
import { coded, HostSockets } from './socket.ts';
import { hostConfig, type Tls } from './url.ts';

/** For statements in progress: a connection to a host that hangs never ends by itself. */
const CLOSE_MILLIS = 1_000;
/** PostgreSQL accepts no more connections, of this role or at all. */
const TOO_MANY_CONNECTIONS = '53300';
/** After that, the pool opens no further connection for this long. */
const FEWER_MILLIS = 30_000;

export interface PoolOptions {
  /** Shared connections at most; more work waits for one. */
  readonly max: number;
  /** Whether there are other hosts of the same database. */
  readonly isOneOfSeveral: boolean;
}

/** A connection that only its caller uses. */
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
  readonly #max: number;
  readonly #config: pg.ClientConfig;
  readonly #tls: Tls;
  readonly #sockets: HostSockets;
  readonly #setup: SessionSetup;
  #encrypts: boolean;
  readonly #pool: pg.Pool;
  /** Until when the pool is smaller than its maximum. */
  #fewerUntil = 0;

  constructor(url: string, { max, isOneOfSeveral }: PoolOptions) {
    const { host, port, user, database, client, tls } = hostConfig(url);
    this.user = user;
    this.address = `${host}:${port}`;
    this.database = database;
    this.#max = max;
    this.#tls = tls;
    this.#encrypts = tls.options !== null;
    this.#sockets = new HostSockets({ isOneOfSeveral });
    this.#setup = new SessionSetup(this.address, () => this.#newClient());
    const stream = () => this.#sockets.create(this.#encrypts);
    this.#config = { application_name: 'tidemark', keepAlive: true, types: TYPES, ...client, stream };
    const onConnect = (connected: pg.ClientBase) => this.#setup.prepare(connected);
    this.#pool = new pg.Pool({ ...this.#config, ssl: this.#ssl, max, onConnect });
    // A connection that breaks while it is idle is replaced when it is needed.
    this.#pool.on('error', () => {});
  }

  #newClient(): pg.Client {
    return new pg.Client({ ...this.#config, ssl: this.#ssl });
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

  /** A connection that only the caller uses. */
  connect(): Promise<DedicatedConnection> {
    return this.#connecting(async () => {
      const client = this.#newClient();
      const closed = new AbortController();
      client.once('end', () => closed.abort());
      client.on('error', () => {});
      const end = async () => {
        if (closed.signal.aborted) return;
        const ended = once(closed.signal, 'abort');
        client.end().catch(() => {});
        await Promise.race([ended, wait(CLOSE_MILLIS, undefined, { ref: false })]);
      };
      await client.connect();
      try {
        await this.#setup.prepare(client);
      } catch (error) {
        await end();
        throw error;
      }
      const session = new Session(client);
      return {
        sql: session.sql,
        closed: closed.signal,
        onNotification: call => void client.on('notification', call),
        end,
      };
    });
  }

  async #session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#pool.options.max < this.#max && performance.now() > this.#fewerUntil) this.#pool.options.max = this.#max;
    const client = await this.#client();
    const session = new Session(client);
    try {
      return await work(session);
    } finally {
      session.end();
      client.release(session.broken ?? false);
    }
  }

  /** A shared connection. If PostgreSQL accepts no more of them, one that the pool has already, once it is free. */
  async #client(): Promise<pg.PoolClient> {
    try {
      return await this.#connecting(() => this.#pool.connect());
    } catch (error) {
      const { totalCount } = this.#pool;
      if (codeOf(error) !== TOO_MANY_CONNECTIONS || totalCount === 0) throw error;
      this.#pool.options.max = totalCount;
      this.#fewerUntil = performance.now() + FEWER_MILLIS;
      return this.#client();
    }
  }

  /** If encryption is optional and fails, with another attempt without it. */
  async #connecting<C>(connect: () => Promise<C>): Promise<C> {
    const encrypted = this.#encrypts;
    try {
      return await connect();
    } catch (error) {
      const failure = this.#explained(error);
      if (!(encrypted && this.#tls.isOptional && mayWorkInClear(failure))) throw failure;
      // Another connection may have found out meanwhile.
      if (this.#encrypts) this.#setEncrypts(false);
      return connect().catch(second => this.#stayEncrypted(failure, second));
    }
  }

  /** Neither way works. A refusal to let this user in without encryption says less than the refusal before it. */
  #stayEncrypted(failure: unknown, second: unknown): never {
    if (codeOf(failure) !== 'NO_TLS') this.#setEncrypts(true);
    throw codeOf(failure) === REFUSED && codeOf(second) === REFUSED ? failure : this.#explained(second);
  }

  #setEncrypts(encrypts: boolean): void {
    this.#encrypts = encrypts;
    // For the connections that the pool opens from now on, also for callers that wait for one already.
    Object.assign(this.#pool.options, { ssl: this.#ssl });
  }

  get #ssl(): NonNullable<pg.ClientConfig['ssl']> {
    return this.#encrypts && (this.#tls.options ?? false);
  }

  /** The driver reports some failures of a socket in words of its own, without what the socket knows. */
  #explained(error: unknown): unknown {
    const isKnown = error instanceof Error && 'code' in error;
    return (isKnown ? null : this.#sockets.failure) ?? lostConnection(error);
  }

  /** Ends every connection at once. Statements that wait for a result fail. */
  destroyConnections(why?: Error): void {
    this.#sockets.destroyAll(why);
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await Promise.race([this.#pool.end(), wait(CLOSE_MILLIS, undefined, { ref: false })]);
    this.destroyConnections(coded('ECONNRESET', 'the store was closed'));
  }
}

/** `pg_hba.conf` has no line for this user, this address and this kind of connection. */
const REFUSED = '28000';

/** The host does not encrypt, cannot agree on how, or lets this user in without encryption only. */
function mayWorkInClear(failure: unknown): boolean {
  const code = codeOf(failure);
  return code === 'NO_TLS' || code === REFUSED || code === 'EPROTO' || code.startsWith('ERR_SSL');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

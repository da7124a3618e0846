// The hosts of one PostgreSQL database: a primary, which may be written, and any number of standbys that follow it.
//
// Everything goes to the primary while there is one. While there is none, reads go to a standby; who writes is told plainly.
// Which host is the primary is asked when it is not known, and forgotten when the host goes away or refuses a write.

import type { Socket } from 'node:net';
import { StoreError } from '../store.ts';
import { connect, type Pool, urlsOfHosts } from './connection.ts';
import { postgresFault } from './faults.ts';

/** One for a long write, the others for what is asked meanwhile. */
const CONNECTIONS = 4;
/** For what is under way; a connection to a host that is away never ends by itself. */
const CLOSE_SECONDS = 1;
/** How long a host may take to say what it is. */
const ROLE_MILLIS = 3_000;

export interface Host {
  readonly url: string;
  /** `HOST:PORT`. */
  readonly name: string;
  readonly sql: Pool;
}

type Role = 'primary' | 'standby';

export class Hosts {
  /** For people; holds no password. */
  readonly name: string;
  readonly #hosts: readonly Host[];
  readonly #sockets = new Set<Socket>();
  #primary: Host | null = null;
  #standby: Host | null = null;
  #looking: Promise<void> | null = null;
  #problem = '';

  constructor(url: string) {
    const urls = urlsOfHosts(url);
    this.#hosts = urls.map(one => {
      const sql = connect(one, CONNECTIONS, { sockets: urls.length > 1 ? this.#sockets : null });
      return { url: one, name: `${sql.options.host[0]}:${sql.options.port[0]}`, sql };
    });
    // The only one is what it is: to write a standby is refused by itself.
    if (this.#hosts.length === 1) this.#primary = this.#hosts[0]!;
    const { user, database } = this.#hosts[0]!.sql.options;
    this.name = `postgres://${user}@${this.#hosts.map(host => host.name).join()}/${database}`;
  }

  get several(): boolean {
    return this.#hosts.length > 1;
  }

  async primary(): Promise<Host> {
    if (this.#primary === null) await this.#look();
    if (this.#primary !== null) return this.#primary;
    throw new StoreError(
      'unreachable',
      `${this.name} has no primary that can be written (${this.#problem})`,
      'Start the primary again, or promote a standby; then repeat. Servers go on with what they have.',
    );
  }

  /** The primary, or a standby while there is none. */
  async reader(): Promise<Host> {
    const known = this.#primary ?? this.#standby;
    if (known !== null) return known;
    await this.#look();
    return this.#primary ?? this.#standby ?? this.primary();
  }

  /** What went wrong with a host, for people; a host that is away is not asked again before another look. */
  told(error: unknown, host: Host): unknown {
    const fault = postgresFault(error, this.name);
    const away = fault instanceof StoreError && (fault.code === 'unreachable' || fault.code === 'read_only');
    if (!away || !this.several) return fault;
    if (this.#primary === host) this.#primary = null;
    if (this.#standby === host) this.#standby = null;
    return fault;
  }

  /** A connection of the caller's own to the primary. */
  async connectToPrimary(onclose: () => void): Promise<Pool> {
    const { url } = await this.primary();
    return connect(url, 1, { sockets: this.several ? this.#sockets : null, onclose });
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map(host => host.sql.end({ timeout: CLOSE_SECONDS })));
    // A host that hangs never closes its side, and the process could not end.
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Returns when a primary has answered, or else when every host has answered or failed to. */
  #look(): Promise<void> {
    this.#looking ??= this.#askAll().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  #askAll(): Promise<void> {
    return new Promise(resolve => {
      const problems: string[] = [];
      const asked = this.#hosts.map(async host => {
        try {
          if ((await roleOf(host)) === 'primary') {
            this.#primary = host;
            resolve();
          } else {
            this.#standby ??= host;
            problems.push(`${host.name} is a standby`);
          }
        } catch (error) {
          if (this.#standby === host) this.#standby = null;
          problems.push(`${host.name}: ${error instanceof Error ? error.message : error}`);
        }
      });
      void Promise.all(asked).then(() => {
        this.#problem = problems.join('; ');
        resolve();
      });
    });
  }
}

async function roleOf({ sql }: Host): Promise<Role> {
  const [answer] = await inTime(ROLE_MILLIS, sql<{ standby: boolean }[]>`SELECT pg_is_in_recovery() AS standby`);
  return answer?.standby ? 'standby' : 'primary';
}

/** A machine that hangs, or was switched off, leaves its connections open and never answers. */
export function inTime<T>(millis: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(Object.assign(new Error(`no answer for ${millis / 1000} s`), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(late, millis);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

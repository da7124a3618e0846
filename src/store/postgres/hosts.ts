// The hosts of one PostgreSQL database: a primary, which may be written, and any number of standbys that follow it.
//
// All statements go to the primary while there is one. While there is none, reads go to the most advanced standby, and writes fail with
// an error that says so. Which host is the primary is found by a query to each of them: at first, and after the primary could not be
// reached or refused a write.

import { StoreError, type StoreFault } from '../port/store.ts';
import { postgresFault } from './faults.ts';
import { inTime } from './in-time.ts';
import { Pool } from './pool.ts';
import { urlsOfHosts } from './url.ts';

/** One for a long write, the others for statements that come meanwhile. */
const CONNECTIONS = 4;
/** How long a host may take to say whether it is the primary. */
const ROLE_MILLIS = 3_000;
/** While there is no primary, all hosts are probed at this interval, however often a primary is needed. */
const LOOK_AGAIN_MILLIS = 1_000;

export interface Host {
  /** `HOST:PORT`. */
  readonly name: string;
  readonly pool: Pool;
}

interface Role {
  readonly standby: boolean;
  /** How far a standby has come, in bytes of the primary's log. */
  readonly replayed: number;
}

export class Hosts {
  /** For people; holds no password. */
  readonly name: string;
  readonly #hosts: readonly Host[];
  #primary: Host | null = null;
  #primaryLost = new AbortController();
  #standby: Host | null = null;
  #looking: Promise<void> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #problem = '';

  constructor(url: string) {
    const urls = urlsOfHosts(url);
    this.#hosts = urls.map(one => {
      const pool = new Pool(one, { max: CONNECTIONS, isOneOfSeveral: urls.length > 1 });
      return { name: pool.address, pool };
    });
    // If there is only one, it is used for everything: a standby itself refuses writes.
    if (this.#hosts.length === 1) this.#primary = this.#hosts[0]!;
    const { user, database } = this.#hosts[0]!.pool;
    this.name = `postgres://${user}@${this.#hosts.map(host => host.name).join()}/${database}`;
  }

  get several(): boolean {
    return this.#hosts.length > 1;
  }

  /** Aborted when the primary that is known now is given up. */
  get primaryLost(): AbortSignal {
    return this.#primaryLost.signal;
  }

  async primary(): Promise<Host> {
    if (this.#primary === null) await this.#look();
    if (this.#primary !== null) return this.#primary;
    throw this.#noPrimary(this.#standby === null ? 'unreachable' : 'no_primary', this.#problem);
  }

  /** The primary, or a standby while there is none. */
  async reader(): Promise<Host> {
    if (this.#primary === null) {
      const looked = this.#look();
      // A standby can be read at once; whether a host was promoted is found out meanwhile.
      if (this.#standby === null) await looked;
    }
    return this.#primary ?? this.#standby ?? this.primary();
  }

  /**
   * The error of a host, with what to do about it. If the host cannot be reached, all hosts are queried again before the next statement:
   * another one may be the primary by then.
   */
  explained(error: unknown, host: Host): unknown {
    const fault = postgresFault(error, this.name);
    const isLost = fault instanceof StoreError && (fault.code === 'unreachable' || fault.code === 'read_only');
    if (!isLost || !this.several) return fault;
    if (host === (this.#primary ?? this.#standby)) this.#forget();
    return fault.code === 'unreachable' ? this.#noPrimary('no_primary', `${host.name}: ${reasonOf(error)}`) : fault;
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map(host => host.pool.close()));
  }

  #noPrimary(fault: StoreFault, problem: string): StoreError {
    return new StoreError(
      fault,
      `${this.name} has no primary that can be written (${problem})`,
      'Start the primary again, or promote a standby; then repeat. Servers go on with what they have.',
    );
  }

  #forget(): void {
    this.#primary = null;
    // Another standby may be more advanced by now.
    this.#standby = null;
    this.#lookedAt = Number.NEGATIVE_INFINITY;
    const lost = this.#primaryLost;
    this.#primaryLost = new AbortController();
    lost.abort();
  }

  /** Returns when a primary has answered, or else when every host has answered or failed to; at once when that was a moment ago. */
  async #look(): Promise<void> {
    if (performance.now() < this.#lookedAt + LOOK_AGAIN_MILLIS) return;
    this.#looking ??= this.#askAll().finally(() => {
      this.#looking = null;
    });
    await this.#looking;
  }

  #askAll(): Promise<void> {
    return new Promise(resolve => {
      const problems: string[] = [];
      const asked = this.#hosts.map(async host => {
        try {
          const { standby, replayed } = await roleOf(host);
          if (standby) {
            problems.push(`${host.name} is a standby`);
            return [{ host, replayed }];
          }
          this.#primary ??= host;
          resolve();
        } catch (error) {
          problems.push(`${host.name}: ${reasonOf(error)}`);
        }
        return [];
      });
      void Promise.all(asked).then(standbys => {
        this.#standby = standbys.flat().sort((a, b) => b.replayed - a.replayed)[0]?.host ?? null;
        this.#problem = problems.join('; ');
        this.#lookedAt = performance.now();
        resolve();
      });
    });
  }
}

async function roleOf({ pool }: Host): Promise<Role> {
  const answer = pool.use(
    sql => sql<Role>`
      SELECT pg_is_in_recovery() AS standby, coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint AS replayed`,
  );
  // Once the host is back, it answers on new connections; on these the query would still wait, and others after it.
  const [role] = await inTime(ROLE_MILLIS, answer, late => pool.destroyConnections(late));
  // A SELECT without FROM gives one row.
  return role!;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

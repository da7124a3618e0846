// The database of a PostgreSQL store: on its hosts, or inside one transaction.

import { type Concern, type Database, LOCK_SPACE, type Sql, type Versions } from './database.ts';
import { type Host, Hosts } from './hosts.ts';
import { inTime } from './in-time.ts';
import { KnownVersions, readVersions } from './known-versions.ts';
import { isDistributed, NodeShares, nodeOf } from './node-shares.ts';
import type { DedicatedConnection } from './pool.ts';
import { SeenVersions } from './seen-versions.ts';

const WRITE_LOCK = 1;
/** Many times what the short reads of a server take. */
const ANSWER_MILLIS = 5_000;
const ONE_MOMENT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

export class RemoteDatabase implements Database {
  readonly name: string;
  readonly seen: SeenVersions;
  readonly known = new KnownVersions();
  readonly #hosts: Hosts;
  #writers = 0;
  /** Null if the database is not distributed. */
  #nodes: NodeShares | null = null;

  constructor(url: string) {
    this.#hosts = new Hosts(url);
    this.name = this.#hosts.name;
    this.seen = SeenVersions.of(this.name);
  }

  versions(): Promise<Versions> {
    return this.known.get(() => this.query(readVersions));
  }

  query<T>(work: (sql: Sql) => Promise<T>, concern?: Concern): Promise<T> {
    return this.#fromReader(({ pool }) => this.#inShare(concern, () => this.#inTime(pool.use(work))));
  }

  read<T>(work: (sql: Sql) => Promise<T>, concern?: Concern): Promise<T> {
    return this.#fromReader(({ pool }) =>
      this.#inShare(concern, () => this.#inTime(pool.transaction(ONE_MOMENT, work))),
    );
  }

  /** To be called once the tables exist. */
  async findNodes(): Promise<void> {
    if (await this.query(isDistributed))
      this.#nodes = new NodeShares(this.name, asset => this.query(sql => nodeOf(sql, asset)));
  }

  /** As `read`, for work that can be done once only. */
  async readOnce<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    // Finds a host that can be reached.
    await this.query(sql => sql`SELECT 1`);
    return this.#on(await this.#reader(), ({ pool }) => pool.transaction(ONE_MOMENT, work));
  }

  async change<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#on(await this.#hosts.primary(), ({ pool }) => this.#inTime(pool.use(work)));
  }

  async write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const transaction = ({ pool }: Host) =>
      pool.transaction('', async sql => {
        await sql`SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${WRITE_LOCK})`;
        return work(sql);
      });
    try {
      return await this.#on(await this.#hosts.primary(), transaction);
    } finally {
      // The notification of this change comes later.
      this.known.forget();
    }
  }

  /** A connection that only the caller uses. */
  async connectToPrimary(): Promise<DedicatedConnection> {
    return this.#on(await this.#hosts.primary(), ({ pool }) => pool.connect());
  }

  /** Aborted when the primary that is known now is given up. */
  get primaryLost(): AbortSignal {
    return this.#hosts.primaryLost;
  }

  /**
   * From now on all reads go to the primary: a writer must read what it wrote, and a standby may be behind. Returns a function that
   * ends this.
   */
  beginWriting(): () => void {
    this.#writers++;
    return () => void this.#writers--;
  }

  close(): Promise<void> {
    return this.#hosts.close();
  }

  #reader(): Promise<Host> {
    return this.#writers > 0 ? this.#hosts.primary() : this.#hosts.reader();
  }

  /** Tries once more if the host has failed meanwhile and there is another one. */
  async #fromReader<T>(work: (host: Host) => Promise<T>): Promise<T> {
    const first = await this.#reader();
    try {
      return await this.#on(first, work);
    } catch (error) {
      const next = this.#hosts.several ? await this.#reader() : first;
      if (next === first) throw error;
      return this.#on(next, work);
    }
  }

  /** Not for a writer: its reads may take longer, and it has no other clients. */
  #inShare<T>(concern: Concern | undefined, work: () => Promise<T>): Promise<T> {
    const isShared = concern !== undefined && this.#nodes !== null && this.#writers === 0;
    return isShared ? this.#nodes!.run(concern, work) : work();
  }

  /** With a time limit if there are other hosts to try. A writer has none: it may take longer, and must not run twice. */
  #inTime<T>(answer: Promise<T>): Promise<T> {
    return this.#hosts.several && this.#writers === 0 ? inTime(ANSWER_MILLIS, answer) : answer;
  }

  async #on<T>(host: Host, work: (host: Host) => Promise<T>): Promise<T> {
    try {
      return await work(host);
    } catch (error) {
      throw this.#hosts.explained(error, host);
    }
  }
}

/** The database as one transaction that is open already. */
export function withinTransaction(sql: Sql, { name, seen }: Database): Database {
  const run = <T>(work: (within: Sql) => Promise<T>) => work(sql);
  return { name, seen, versions: () => readVersions(sql), query: run, read: run, change: run, write: run };
}

// The database of a PostgreSQL store: on its hosts, or inside one transaction.

import { type Client, type Database, LOCK_SPACE, type Pool, type Transaction } from './connection.ts';
import { type Host, Hosts, inTime } from './hosts.ts';
import { SeenVersions } from './seen-versions.ts';
import type { Line } from './watch.ts';

const WRITE_LOCK = 1;
/** Many times what a server's small questions take. */
const ANSWER_MILLIS = 5_000;

export class RemoteDatabase implements Database {
  readonly name: string;
  readonly seen: SeenVersions;
  readonly #hosts: Hosts;
  #writers = 0;

  constructor(url: string) {
    this.#hosts = new Hosts(url);
    this.name = this.#hosts.name;
    this.seen = SeenVersions.of(this.name);
  }

  query<T>(work: (sql: Client) => Promise<T>): Promise<T> {
    return this.#fromReader(({ sql }) => this.#inTime(work(sql)));
  }

  read<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.#fromReader(({ sql }) => this.#inTime(sql.begin(ONE_MOMENT, work) as Promise<T>)); // see `write`
  }

  /** As `read`, for work that can be done once only. */
  async readOnce<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    // Finds a host that answers.
    await this.query(sql => sql`SELECT 1`);
    const host = await this.#reader();
    return this.#on(host, ({ sql }) => sql.begin(ONE_MOMENT, work) as Promise<T>); // see `write`
  }

  async change<T>(work: (sql: Client) => Promise<T>): Promise<T> {
    return this.#on(await this.#hosts.primary(), ({ sql }) => this.#inTime(work(sql)));
  }

  async write<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    const transaction = ({ sql }: Host) =>
      sql.begin(async begun => {
        await begun`SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${WRITE_LOCK})`;
        return work(begun);
        // postgres.js types the result of a transaction as what becomes of an array of queries; nobody here returns one.
      }) as Promise<T>;
    return this.#on(await this.#hosts.primary(), transaction);
  }

  connectToPrimary(onclose: () => void): Promise<Pool> {
    return this.#hosts.connectToPrimary(onclose);
  }

  /** A connection to the primary for as long as that is the primary. */
  async lineToPrimary(): Promise<Line> {
    const sql = await this.#hosts.connectToPrimary(() => {});
    return { sql, lost: this.#hosts.primaryLost };
  }

  /**
   * From now on reads come from the primary only: what a writer computes from must be what it wrote, and a standby may be
   * behind. Returns how to end that.
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

  /** Once more where a host went away meanwhile and there are others. */
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

  /** Where there are other hosts to turn to. What a writer does may take longer, and must not be done twice. */
  #inTime<T>(answer: Promise<T>): Promise<T> {
    return this.#hosts.several && this.#writers === 0 ? inTime(ANSWER_MILLIS, answer) : answer;
  }

  async #on<T>(host: Host, work: (host: Host) => Promise<T>): Promise<T> {
    try {
      return await work(host);
    } catch (error) {
      throw this.#hosts.told(error, host);
    }
  }
}

const ONE_MOMENT = 'isolation level repeatable read read only';

/** Everything in one transaction of the database that is open already. */
export function withinTransaction(sql: Transaction, { name, seen }: Database): Database {
  const run = <T>(work: (within: Transaction) => Promise<T>) => work(sql);
  return { name, seen, query: run, read: run, change: run, write: run };
}

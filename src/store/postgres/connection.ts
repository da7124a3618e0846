// The connections to one PostgreSQL database: reads, and writing transactions that follow one another.

import postgres, { type Sql, type TransactionSql } from 'postgres';
import { StoreError } from '../store.ts';
import { postgresFault } from './faults.ts';

/** Integers of 64 bits come as numbers: nothing here counts beyond 2⁵³. */
interface Types extends Record<string, unknown> {
  bigint: number;
}
export type Client = Sql<Types>;
export type Transaction = TransactionSql<Types>;

/** First half of the keys of advisory locks, 'Tide' in ASCII; the second says what is locked. */
export const LOCK_SPACE = 0x54696465;
const WRITE_LOCK = 1;

const CONNECT_SECONDS = 10;

export function connect(url: string, max: number, onclose?: () => void): Client {
  try {
    return postgres(url, {
      max,
      connect_timeout: CONNECT_SECONDS,
      // Arrays are written as text here, so that nothing needs to be asked about their types.
      fetch_types: false,
      onnotice: () => {},
      ...(onclose ? { onclose } : {}),
      // A connection that holds a lock must not be exchanged for a fresh one after a while.
      ...(onclose ? { max_lifetime: null, idle_timeout: 0 } : {}),
      connection: { application_name: 'tidemark' },
      types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    });
  } catch (error) {
    const form =
      'write postgres://USER:PASSWORD@HOST:PORT/DATABASE; characters such as @ and / in a password as %40 and %2F';
    throw new StoreError('bad_url', 'the URL of the PostgreSQL store cannot be read', form, { cause: error });
  }
}

export class Database {
  /** For people; holds no password. */
  readonly name: string;
  readonly #sql: Client;

  constructor(sql: Client) {
    const { host, port, user, database } = sql.options;
    this.name = `postgres://${user}@${host[0]}:${port[0]}/${database}`;
    this.#sql = sql;
  }

  /** One statement, or several that need not be of one moment. */
  query<T>(work: (sql: Client) => Promise<T>): Promise<T> {
    return this.#told(work(this.#sql));
  }

  /** Everything that `work` reads is of one moment. */
  read<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.#told(this.#sql.begin('isolation level repeatable read read only', work));
  }

  /** One writing transaction at a time, whichever process it is in: what one has read stays true until it has written. */
  write<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.#told(
      this.#sql.begin(async sql => {
        await sql`SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${WRITE_LOCK})`;
        return work(sql);
      }),
    );
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }

  async #told<T>(result: Promise<unknown>): Promise<T> {
    try {
      // postgres.js types the result of a transaction as what becomes of an array of queries; nobody here returns one.
      return (await result) as T;
    } catch (error) {
      throw postgresFault(error, this.name);
    }
  }
}

/** The text form of an array of numbers, NaN as NULL. */
export function arrayText(values: Iterable<number>): string {
  const parts: string[] = [];
  for (const value of values) parts.push(Number.isNaN(value) ? 'NULL' : String(value));
  return `{${parts.join(',')}}`;
}

// What the tables of a PostgreSQL store ask of the database, and how one connects to a server.

import { createConnection, type Socket } from 'node:net';
import postgres, { type ISql, type Sql, type TransactionSql } from 'postgres';
import { StoreError } from '../store.ts';
import type { SeenVersions } from './seen-versions.ts';

/** Integers of 64 bits come as numbers: nothing here counts beyond 2⁵³. */
interface Types extends Record<string, unknown> {
  bigint: number;
}
/** What takes statements: some connection to a server, or one transaction. */
export type Client = ISql<Types>;
export type Pool = Sql<Types>;
export type Transaction = TransactionSql<Types>;

export interface Database {
  /** For people; holds no password. */
  readonly name: string;
  readonly seen: SeenVersions;
  /** Statements that only read, and need not be of one moment. */
  query<T>(work: (sql: Client) => Promise<T>): Promise<T>;
  /** Everything that `work` reads is of one moment. */
  read<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** Statements that write, each a transaction of its own and safe beside any other. */
  change<T>(work: (sql: Client) => Promise<T>): Promise<T>;
  /** One writing transaction at a time, whichever process it is in: what one has read stays true until it has written. */
  write<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
}

/** First half of the keys of advisory locks, 'Tide' in ASCII; the second says what is locked. */
export const LOCK_SPACE = 0x54696465;

const CONNECT_SECONDS = 10;
/** With another host to turn to, nobody waits that long for one. */
const CONNECT_SECONDS_OF_SEVERAL = 3;
/** The client itself would wait up to 20 seconds before it tries a server again that was away. */
const RECONNECT_SECONDS = 0.2;

export interface ConnectOptions {
  /** Of several hosts: the sockets that are open, so that those to a host that hangs can be torn down. */
  readonly sockets: Set<Socket> | null;
  readonly onclose?: () => void;
}

export function connect(url: string, max: number, { sockets, onclose }: ConnectOptions): Pool {
  try {
    return postgres(url, {
      max,
      connect_timeout: sockets ? CONNECT_SECONDS_OF_SEVERAL : CONNECT_SECONDS,
      backoff: () => RECONNECT_SECONDS,
      // Arrays are written as text here, so that nothing needs to be asked about their types.
      fetch_types: false,
      onnotice: () => {},
      ...(sockets ? { socket: ({ host, port }: Target) => openSocket(host[0]!, port[0]!, sockets) } : {}),
      ...(onclose ? { onclose } : {}),
      // A connection that holds a lock must not be exchanged for a fresh one after a while.
      ...(onclose ? { max_lifetime: null, idle_timeout: 0 } : {}),
      connection: { application_name: 'tidemark' },
      types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    });
  } catch (error) {
    throw badUrl(error);
  }
}

/** What postgres.js tells who makes its sockets. */
interface Target {
  readonly host: readonly string[];
  readonly port: readonly number[];
}

function openSocket(host: string, port: number, sockets: Set<Socket>): Socket {
  const socket = createConnection({ host, port });
  sockets.add(socket);
  return socket.once('close', () => sockets.delete(socket));
}

/** One URL for each host of `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE`. */
export function urlsOfHosts(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const names = hosts.split(',');
  if (names.length === 1) return [url];
  if (names.includes('')) throw badUrl(new Error('a host of the list is empty'));
  // Which of them may be written is found out by asking.
  const rest = after.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return names.map(host => `${before}${host}${rest}`);
}

function badUrl(cause: unknown): StoreError {
  const form =
    'write postgres://USER:PASSWORD@HOST:PORT/DATABASE, several as HOST:PORT,HOST:PORT; characters such as @ and / in a ' +
    'password as %40 and %2F';
  return new StoreError('bad_url', 'the URL of the PostgreSQL store cannot be read', form, { cause });
}

/** The text form of an array of numbers, NaN as NULL. */
export function arrayText(values: Iterable<number>): string {
  const parts: string[] = [];
  for (const value of values) parts.push(Number.isNaN(value) ? 'NULL' : String(value));
  return `{${parts.join(',')}}`;
}

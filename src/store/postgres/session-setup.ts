// Prepares each new connection: sets the settings of its session, and checks that no other connection shares the session.
//
// Settings are statements and not parameters of the connection, because connection poolers refuse those.

import type pg from 'pg';
import { StoreError } from '../port/store.ts';
import { inTime } from './in-time.ts';

/**
 * Tidemark limits the time of its statements itself, so that time-outs that were set for the role must not end them. Compiling a
 * statement (jit) takes longer than any statement here runs. A server may lack one of the settings.
 */
const SETTINGS = `
  SELECT pg_backend_pid() AS backend, count(set_config(name, CASE name WHEN 'jit' THEN 'off' ELSE '0' END, false))
  FROM pg_settings WHERE name IN ('jit', 'statement_timeout', 'lock_timeout', 'transaction_timeout',
    'idle_session_timeout', 'idle_in_transaction_session_timeout')`;

/** In one round of a pooler that shares sessions, the other connection may by chance get another session, if many clients use it. */
const ROUNDS = 30;
/** A connection that gets no session for this long waits for one that another connection holds. */
const SESSION_MILLIS = 3_000;

/** The part of the driver's connection that its types lack. */
interface WithProcess {
  /** The process that the server named when it accepted the connection; a pooler names one of its own. */
  readonly processID?: number | null;
}

/** Prepares the connections to one address. */
export class SessionSetup {
  readonly #where: string;
  readonly #other: () => pg.Client;
  /** Whether a test has shown that sessions stay with their connections. */
  #isTried = false;

  /** `other` makes a further connection, not yet connected. */
  constructor(where: string, other: () => pg.Client) {
    this.#where = where;
    this.#other = other;
  }

  /** Fails if a connection pooler gives the session of the connection to others between two transactions. */
  async prepare(client: pg.ClientBase): Promise<void> {
    const [row] = (await client.query<{ backend: number }>(SETTINGS)).rows;
    const { processID } = client as pg.ClientBase & WithProcess; // the driver has it
    const isPooled = row !== undefined && typeof processID === 'number' && row.backend !== processID;
    if (!isPooled || this.#isTried) return;
    if (await sharesSession(client, row.backend, this.#other)) throw sharedSessions(this.#where);
    this.#isTried = true;
  }
}

/** While another connection has a transaction open, that transaction must not run in the session of this connection. */
async function sharesSession(client: pg.ClientBase, backend: number, connect: () => pg.Client): Promise<boolean> {
  const other = connect();
  other.on('error', () => {});
  try {
    await other.connect();
    for (let round = 0; round < ROUNDS; round++) {
      const itsBackend = inTime(SESSION_MILLIS, backendOf(other, 'BEGIN')).catch(isLate);
      if ((await itsBackend) === null) return false;
      if ((await itsBackend) === backend || (await backendOf(client)) !== backend) return true;
      await other.query('ROLLBACK');
    }
    return false;
  } finally {
    // Not awaited: a pooler may keep it waiting for a session.
    void other.end().catch(() => {});
  }
}

async function backendOf(client: pg.ClientBase, before?: 'BEGIN'): Promise<number> {
  if (before !== undefined) await client.query(before);
  const { rows } = await client.query<{ backend: number }>('SELECT pg_backend_pid() AS backend');
  return rows[0]!.backend; // a SELECT without FROM gives one row
}

function isLate(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT') return null;
  throw error;
}

function sharedSessions(where: string): StoreError {
  return new StoreError(
    'pooler',
    `the connection pooler at ${where} gives each transaction another session, which breaks the locks of loads`,
    'set pool_mode = session for this database, or connect to PostgreSQL itself',
  );
}

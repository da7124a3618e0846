// The locks of a PostgreSQL store: each is an advisory lock of a connection that does nothing else. The server releases it when the
// connection ends, and the connection ends with the process, however that ends.

import type { LockPurpose, StoreLock } from '../port/store.ts';
import { LOCK_SPACE } from './database.ts';
import { postgresFault } from './faults.ts';
import type { RemoteDatabase } from './remote-database.ts';

/** The second half of the key of each lock; 1 is the write lock of a transaction (remote-database.ts). */
const KEYS: Readonly<Record<LockPurpose, number>> = { load: 2, alerts: 3, live: 4 };

/** A connection can break unnoticed: a query at intervals finds out on this side, keep-alives on the server's. */
const HEARTBEAT_MILLIS = 5_000;
const KEEP_ALIVE = 'SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4';

export async function lockDatabase(db: RemoteDatabase, purpose: LockPurpose): Promise<StoreLock | null> {
  const { sql, closed, end } = await db.connectToPrimary();
  let session: number;
  try {
    await sql.script(KEEP_ALIVE);
    const [answer] = await sql<{ locked: boolean; session: number }>`
      SELECT pg_try_advisory_lock(${LOCK_SPACE}, ${KEYS[purpose]}) AS locked, pg_backend_pid() AS session`;
    if (!answer?.locked) {
      await end();
      return null;
    }
    session = answer.session;
  } catch (error) {
    await end();
    throw postgresFault(error, db.name);
  }

  const lost = new AbortController();
  let released = false;
  const lose = () => {
    clearInterval(heartbeat);
    if (!released) lost.abort(new Error(`the connection that held the lock for ${purpose} of ${db.name} broke`));
  };
  const check = async () => {
    const [now] = await sql<{ session: number }>`SELECT pg_backend_pid() AS session`;
    // A connection pooler may have given the session that holds the lock to another connection.
    if (now?.session !== session) lose();
  };
  const heartbeat = setInterval(() => void check().catch(lose), HEARTBEAT_MILLIS).unref();
  closed.addEventListener('abort', lose);

  // A load must read what it wrote. The other holders read little, and request the newest state where they need it.
  const endWriting = purpose === 'load' ? db.beginWriting() : () => {};
  const release = async () => {
    if (released) return;
    released = true;
    endWriting();
    clearInterval(heartbeat);
    // Before the connection ends: the next process must find the lock free.
    if (!lost.signal.aborted) await sql`SELECT pg_advisory_unlock(${LOCK_SPACE}, ${KEYS[purpose]})`.catch(() => {});
    await end();
  };
  return { lost: lost.signal, release, [Symbol.asyncDispose]: release };
}

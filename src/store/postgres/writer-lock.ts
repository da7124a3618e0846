// The writer's lock of a PostgreSQL store: an advisory lock of a connection that does nothing else. The server frees it when
// the connection ends, which it does with the process, however the process ends.

import type { WriterLock } from '../store.ts';
import { LOCK_SPACE } from './connection.ts';
import type { RemoteDatabase } from './database.ts';
import { postgresFault } from './faults.ts';

const WRITER = 2;

/** A connection can break without a sign; asking now and then finds out on this side, keep-alives on the server's. */
const HEARTBEAT_MILLIS = 5_000;
const KEEP_ALIVE = 'SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4';

export async function lockWriter(db: RemoteDatabase): Promise<WriterLock | null> {
  const { sql, closed, end } = await db.connectToPrimary();
  try {
    await sql.script(KEEP_ALIVE);
    const [answer] = await sql<{ locked: boolean }>`
      SELECT pg_try_advisory_lock(${LOCK_SPACE}, ${WRITER}) AS locked`;
    if (!answer?.locked) {
      await end();
      return null;
    }
  } catch (error) {
    await end();
    throw postgresFault(error, db.name);
  }

  const lost = new AbortController();
  let released = false;
  const lose = () => {
    clearInterval(heartbeat);
    if (!released) lost.abort(new Error(`the connection that held the writer's lock of ${db.name} broke`));
  };
  const heartbeat = setInterval(() => void sql`SELECT 1`.catch(lose), HEARTBEAT_MILLIS).unref();
  closed.addEventListener('abort', lose);

  const endWriting = db.beginWriting();
  return {
    lost: lost.signal,
    release: async () => {
      if (released) return;
      released = true;
      endWriting();
      clearInterval(heartbeat);
      // Before the connection ends: the next process must find the lock free.
      if (!lost.signal.aborted) await sql`SELECT pg_advisory_unlock(${LOCK_SPACE}, ${WRITER})`.catch(() => {});
      await end();
    },
  };
}

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
  const lost = new AbortController();
  let released = false;
  const lose = () => {
    if (!released) lost.abort(new Error(`the connection that held the writer's lock of ${db.name} broke`));
  };
  const sql = await db.connectToPrimary(lose);
  try {
    await sql.unsafe(KEEP_ALIVE);
    const [answer] = await sql<{ locked: boolean }[]>`
      SELECT pg_try_advisory_lock(${LOCK_SPACE}, ${WRITER}) AS locked`;
    if (!answer?.locked) {
      released = true;
      await sql.end();
      return null;
    }
  } catch (error) {
    released = true;
    await sql.end({ timeout: 0 });
    throw postgresFault(error, db.name);
  }

  const heartbeat = setInterval(() => {
    // The client would connect anew, without the lock.
    if (lost.signal.aborted) clearInterval(heartbeat);
    else sql`SELECT 1`.catch(lose);
  }, HEARTBEAT_MILLIS).unref();

  const endWriting = db.beginWriting();
  return {
    lost: lost.signal,
    release: async () => {
      if (released) return;
      released = true;
      endWriting();
      clearInterval(heartbeat);
      // Before the connection ends: whoever asks next must find it free.
      if (!lost.signal.aborted) await sql`SELECT pg_advisory_unlock(${LOCK_SPACE}, ${WRITER})`.catch(() => {});
      await sql.end({ timeout: 1 });
    },
  };
}

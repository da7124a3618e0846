// Notifications of changes in PostgreSQL: a process that publishes, or changes an API key or an alert, notifies at its commit, and a
// connection listens. A standby refuses to listen, a connection can break, and another host can become the primary: then the listener
// connects again, at intervals.

import type { Sql } from './database.ts';
import type { RemoteDatabase } from './remote-database.ts';

const CHANNEL = 'tidemark';
const RETRY_MILLIS = 2000;

/** Sent when the transaction commits, and only then. */
export async function notify(sql: Sql): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, '')`;
}

export function watchDatabase(db: RemoteDatabase, onChange: () => void): () => Promise<void> {
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;
  let end = async () => {};

  /** Until the connection ends, or its host is no longer the primary. */
  async function listen(): Promise<void> {
    const connection = await db.connectToPrimary();
    const over = AbortSignal.any([connection.closed, db.primaryLost]);
    end = () => connection.end();
    if (stopped) return end();
    connection.onNotification(() => {
      db.known.forget();
      onChange();
    });
    try {
      await connection.sql.script(`LISTEN ${CHANNEL}`);
      db.known.listening(true);
      // There was no notification of earlier changes.
      onChange();
      if (!over.aborted) await new Promise(resolve => over.addEventListener('abort', resolve));
    } finally {
      db.known.listening(false);
      await end();
    }
  }

  function begin(): void {
    void listen()
      .catch(() => {})
      .then(() => {
        if (!stopped) retry = setTimeout(begin, RETRY_MILLIS).unref();
      });
  }

  begin();
  return async () => {
    stopped = true;
    clearTimeout(retry);
    await end();
  };
}

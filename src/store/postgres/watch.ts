// Hearing of changes in PostgreSQL: whoever publishes or changes a key sends a notice when it commits, and one connection
// listens. A standby refuses to listen, and a connection can break: then it is tried again now and then.

import type { Pool, Transaction } from './connection.ts';

const CHANNEL = 'tidemark';
const RETRY_MILLIS = 2000;

/** Sent when the transaction commits, and only then. */
export async function notify(sql: Transaction): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, '')`;
}

export function watchDatabase(connect: () => Promise<Pool>, onChange: () => void): () => Promise<void> {
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;
  let end = async () => {};

  async function listen(): Promise<void> {
    const sql = await connect();
    let ended = false;
    end = async () => {
      if (ended) return;
      ended = true;
      await sql.end({ timeout: 1 });
    };
    if (stopped) return end();
    // The client connects anew by itself when the connection breaks. What happened meanwhile nobody heard: hence a call.
    await sql.listen(CHANNEL, onChange, onChange).catch(async error => {
      await end();
      throw error;
    });
  }

  function begin(): void {
    listen().catch(() => {
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

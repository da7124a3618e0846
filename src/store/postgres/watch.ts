// Hearing of changes in PostgreSQL: whoever publishes or changes a key sends a notice when it commits, and one connection
// listens. A standby refuses to listen, a connection can break, and another host become the primary: then it is tried again now and
// then.

import { once } from 'node:events';
import type { Pool, Transaction } from './connection.ts';

const CHANNEL = 'tidemark';
const RETRY_MILLIS = 2000;

/** A connection of its own, and whether there is a point in waiting for it to work again: another host may be the primary now. */
export interface Line {
  readonly sql: Pool;
  readonly lost: AbortSignal;
}

/** Sent when the transaction commits, and only then. */
export async function notify(sql: Transaction): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, '')`;
}

export function watchDatabase(connect: () => Promise<Line>, onChange: () => void): () => Promise<void> {
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;
  let end = async () => {};

  /** For as long as the connection is one to the primary. */
  async function listen(): Promise<void> {
    const { sql, lost } = await connect();
    let ended = false;
    end = async () => {
      if (ended) return;
      ended = true;
      await sql.end({ timeout: 1 });
    };
    if (stopped) return end();
    const over = once(lost, 'abort');
    try {
      // The client connects anew by itself when the connection breaks. What happened meanwhile nobody heard: hence a call.
      await Promise.race([over, sql.listen(CHANNEL, onChange, onChange).then(() => over)]);
    } finally {
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

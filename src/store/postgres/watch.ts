// Hearing of changes in PostgreSQL: whoever publishes or changes a key sends a notice when it commits, and one connection
// listens. A standby refuses to listen, and a connection can break: then it is tried again now and then.

import { connect, type Transaction } from './connection.ts';

const CHANNEL = 'tidemark';
const RETRY_MILLIS = 2000;

/** Sent when the transaction commits, and only then. */
export async function notify(sql: Transaction): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, '')`;
}

export function watchDatabase(url: string, onChange: () => void): () => Promise<void> {
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;
  let end = async () => {};

  function begin(): void {
    const sql = connect(url, 1);
    let ended = false;
    end = async () => {
      ended = true;
      await sql.end({ timeout: 1 });
    };
    // The client connects anew by itself when the connection breaks. What happened meanwhile nobody heard: hence a call.
    sql.listen(CHANNEL, onChange, onChange).catch(async () => {
      if (!ended) await end();
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

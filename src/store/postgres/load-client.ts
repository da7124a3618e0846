// Loads the PostgreSQL adapter with its client mended. postgres.js 3.4.9 ends the process when the server closes a connection
// inside a transaction (its issues 1066, 1154 and 1208): it rolls back on the connection that is gone, and the write to no
// socket fails in a callback that nobody can catch. A server of ours must outlive its database, so the one function that
// fails is given the check that it lacks. To be removed with the first version that has it; then the text is not found, and
// nothing is changed.

import { registerHooks } from 'node:module';
import type { Store } from '../store.ts';

const FILE = '/postgres/src/connection.js';
const UNCHECKED = 'const x = socket.write(chunk, fn)';
/** Who waits for an answer is told, and the process goes on. */
const CHECKED = `if (socket === null) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
    ${UNCHECKED}`;

export async function loadPostgres(): Promise<{ openPostgres(url: string): Promise<Store> }> {
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(FILE) || loaded.source === undefined || loaded.source === null) return loaded;
      const text =
        typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
      return { ...loaded, source: text.replace(UNCHECKED, CHECKED) };
    },
  });
  try {
    return await import('./store.ts');
  } finally {
    hooks.deregister();
  }
}

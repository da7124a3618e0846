// Notices of changes in SQLite, by polling: `data_version` changes when another connection has written. Reading it takes a few
// microseconds, because it is in shared memory.

import type { Connection } from './connection.ts';

const POLL_MILLIS = 5;

export function watchFile(db: Connection, onChange: () => void): () => Promise<void> {
  const version = db.query<[number]>('PRAGMA data_version');
  let seen = version.get()?.[0];
  const timer = setInterval(() => {
    const latest = versionOrNull();
    if (latest === null || latest === seen) return;
    seen = latest;
    onChange();
  }, POLL_MILLIS).unref();

  /** Null while the file cannot be read; reads of the data report that. */
  function versionOrNull(): number | null {
    try {
      return version.get()?.[0] ?? null;
    } catch {
      return null;
    }
  }

  return async () => clearInterval(timer);
}

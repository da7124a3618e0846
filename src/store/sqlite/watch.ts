// Hearing of changes in SQLite, which tells nobody: `data_version` is another number after any other connection has written.
// To ask for it is to read a few bytes of shared memory (a few microseconds), so that it can be asked all the time.

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

  /** Null while the file cannot be read, which whoever asks for the data will hear of. */
  function versionOrNull(): number | null {
    try {
      return version.get()?.[0] ?? null;
    } catch {
      return null;
    }
  }

  return async () => clearInterval(timer);
}

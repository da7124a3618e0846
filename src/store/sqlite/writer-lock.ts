// The writer's lock of a SQLite store: an open write transaction on a small database beside it. What holds it is the
// operating system's lock on that file, which ends with the process, however the process ends.

import { DatabaseSync } from 'node:sqlite';
import type { WriterLock } from '../store.ts';
import { isBusy, sqliteFault } from './faults.ts';

export function lockWriter(storePath: string): WriterLock | null {
  const path = `${storePath}-writer`;
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    // Not EXCLUSIVE: of two that ask for it at the same moment, each could find the other in its way.
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    db?.close();
    if (isBusy(error)) return null;
    throw sqliteFault(error, path);
  }
  const held = db;
  return {
    // As long as the process lives, nothing takes the lock away.
    lost: new AbortController().signal,
    release: async () => {
      if (held.isOpen) held.close();
    },
  };
}

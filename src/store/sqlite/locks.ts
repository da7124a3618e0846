// The locks of a SQLite store: an open write transaction on a small database beside it. It is an operating system's lock on
// that file, which ends with the process, however the process ends.

import { DatabaseSync } from 'node:sqlite';
import type { LockPurpose, StoreLock } from '../port/store.ts';
import { isBusy, sqliteFault } from './faults.ts';
import { createPrivateFile } from './private-file.ts';

const ENDINGS: Readonly<Record<LockPurpose, string>> = { load: '-writer', alerts: '-alerts', live: '-live' };

export function lockBeside(storePath: string, purpose: LockPurpose): StoreLock | null {
  const path = `${storePath}${ENDINGS[purpose]}`;
  let db: DatabaseSync | null = null;
  try {
    createPrivateFile(path);
    db = new DatabaseSync(path, { timeout: 0 });
    // Not EXCLUSIVE: two processes that try at the same time could both fail.
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    db?.close();
    if (isBusy(error)) return null;
    throw sqliteFault(error, path);
  }
  const held = db;
  const release = async () => {
    if (held.isOpen) held.close();
  };
  // Never aborted: the process keeps the lock until it releases it or ends.
  const lost = new AbortController().signal;
  return { lost, release, [Symbol.asyncDispose]: release };
}

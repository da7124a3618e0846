// Opens or creates the database file of a SQLite store, and brings its tables up to date.

import { mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newerVersion } from '../faults.ts';
import { StoreError } from '../store.ts';
import { BUSY_MILLIS, Connection } from './connection.ts';
import { sqliteFault } from './faults.ts';
import { MIGRATIONS } from './migrations.ts';

/** 'Tide' in ASCII: tells a store from another application's database. */
const APPLICATION_ID = 0x54696465;

/**
 * FULL, not NORMAL: in WAL mode NORMAL syncs only at checkpoints, so that a power failure could take back transactions that
 * were acknowledged. FULL syncs at each commit; with batches of thousands of bars that costs next to nothing.
 *
 * For who loads, 64 MB of cache hold the newest page of each of some ten thousand assets, which a file sorted by day touches in turn.
 * 8,000 pages (32 MB) of log before it is moved into the database: fewer moves of the same pages, and a close of each of
 * 50,000 assets is not moved before it is published.
 */
const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 8000;
  PRAGMA journal_size_limit = 67108864;
`;

/** Kilobytes. Who reads is served by the system's cache as well. */
const CACHE = { sparing: 2048, usual: 65_536 } as const;

export function openDatabase(path: string, sparing: boolean): Connection {
  let db: DatabaseSync | null = null;
  try {
    mkdirSync(dirname(path), { recursive: true });
    db = new DatabaseSync(path, { timeout: BUSY_MILLIS });
    if (layout(db, path) < MIGRATIONS.length) upgrade(db, path);
    db.exec(`${SETTINGS} PRAGMA cache_size = -${sparing ? CACHE.sparing : CACHE.usual}`);
    // Other names of the same file (links) must lead to the same lock beside it.
    return new Connection(db, realpathSync(path));
  } catch (error) {
    db?.close();
    throw folderFault(error, path) ?? sqliteFault(error, path);
  }
}

function upgrade(db: DatabaseSync, path: string): void {
  // Readers and one writer at once, in several processes; kept in the file.
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have done it since.
    for (const { sql, work } of MIGRATIONS.slice(layout(db, path))) {
      db.exec(sql);
      work?.(new Connection(db, path));
    }
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** The number of the last step applied: 0 for an empty database. Refuses what is no store, or not one of ours. */
function layout(db: DatabaseSync, path: string): number {
  // All of one moment: another process may be creating the tables just now.
  const within = db.isTransaction;
  if (!within) db.exec('BEGIN');
  const version = pragma(db, 'user_version');
  const application = pragma(db, 'application_id');
  const blank = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (!within) db.exec('COMMIT');

  if (application === 0 && version === 0 && blank) return 0;
  if (application !== APPLICATION_ID) {
    throw new StoreError(
      'not_a_store',
      `${path} is the database of another application`,
      'name another file, or one that does not exist yet',
    );
  }
  if (version > MIGRATIONS.length) throw newerVersion(path, version, MIGRATIONS.length);
  return version;
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function folderFault(error: unknown, path: string): StoreError | null {
  if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'mkdir') return null;
  return new StoreError(
    'unreachable',
    `the folder of ${path} cannot be created`,
    'name a path in a folder that may be written',
    { cause: error },
  );
}

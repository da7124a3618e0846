// Opens the database file of a SQLite store, or creates it.

import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { newerVersion, olderVersion } from '../port/errors.ts';
import { StoreError } from '../port/store.ts';
import { blobOf, CheckedTable } from './checked-table.ts';
import { BUSY_MILLIS, Connection } from './connection.ts';
import { CoverageTable } from './coverage.ts';
import { damaged, isForLackOfRights, sqliteFault, unreadLog } from './faults.ts';
import { CREATE, INDEXES, LAYOUT, NEW_TABLES, OLDEST_LAYOUT, TABLES } from './layout.ts';
import { MetaTable } from './meta.ts';
import { createPrivateFile } from './private-file.ts';
import { SERIES } from './series-layout.ts';

/** 'Tide' in ASCII: tells a store from another application's database. */
const APPLICATION_ID = 0x54696465;

/**
 * FULL, not NORMAL: in WAL mode NORMAL syncs only at checkpoints, so that a power failure could undo transactions that were
 * acknowledged. FULL syncs at each commit; with batches of thousands of bars the cost is negligible.
 *
 * A checkpoint after 8,000 pages (32 MB) of log: fewer copies of the same pages, and a close of each of 50,000 assets is published
 * before it is copied.
 */
const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 8000;
  PRAGMA journal_size_limit = 67108864;
`;

/**
 * Kilobytes. A load profits from 64 MB, which hold the newest page of each of some ten thousand assets: a file sorted by day touches
 * them in turn. Readers profit from the system's cache.
 */
const CACHE = { sparing: 2048, usual: 65_536 } as const;

export function openDatabase(path: string, sparing: boolean): Connection {
  try {
    return openForWriting(path, sparing);
  } catch (error) {
    if (!isForLackOfRights(error) || !existsSync(path)) throw sqliteFault(error, path);
    const connection = openForReading(path, sparing);
    if (connection !== null) return connection;
    throw sqliteFault(error, path);
  }
}

function openForWriting(path: string, sparing: boolean): Connection {
  mkdirSync(dirname(path), { recursive: true });
  createPrivateFile(path);
  // It would open a file that may only be read, and fail with the first write.
  accessSync(path, constants.W_OK);
  return connected(new DatabaseSync(path, { timeout: BUSY_MILLIS }), path, sparing, false);
}

/** Null if it cannot be read either. */
function openForReading(path: string, sparing: boolean): Connection | null {
  const url = pathToFileURL(path);
  try {
    // While another process writes, its files beside the store (-wal, -shm) can be read as well.
    return connected(new DatabaseSync(url, { timeout: BUSY_MILLIS, readOnly: true }), path, sparing, true);
  } catch (error) {
    if (!isForLackOfRights(error)) throw sqliteFault(error, path);
  }
  // Without these files SQLite wants to create them, unless it is told that nobody writes.
  url.searchParams.set('immutable', '1');
  try {
    if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw unreadLog(path);
    return connected(new DatabaseSync(url, { readOnly: true }), path, sparing, true);
  } catch (error) {
    if (isForLackOfRights(error)) return null;
    throw sqliteFault(error, path);
  }
}

/** Whether a newer program has changed the layout since the connection was opened. */
export function hasOtherLayout(db: Connection): boolean {
  return db.query<[number]>('PRAGMA user_version').get()?.[0] !== LAYOUT;
}

function connected(db: DatabaseSync, path: string, sparing: boolean, readOnly: boolean): Connection {
  try {
    const state = stateOf(db, path);
    if (state === 'older' && readOnly) throw olderVersion(path, pragma(db, 'user_version'), LAYOUT);
    if (state !== 'ready' && !readOnly) prepare(db, path);
    requireTables(db, path);
    db.exec(`${SETTINGS} PRAGMA cache_size = -${sparing ? CACHE.sparing : CACHE.usual}`);
    // Links to the same file must lead to the same lock beside it.
    return new Connection(db, realpathSync(path), readOnly);
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepare(db: DatabaseSync, path: string): void {
  // Readers and one writer at once, in several processes; kept in the file.
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have done it since.
    const state = stateOf(db, path);
    if (state === 'empty') create(db, path);
    else if (state === 'older') upgrade(db, path);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function create(db: DatabaseSync, path: string): void {
  db.exec(CREATE);
  const connection = new Connection(db, path);
  new MetaTable(connection).create();
  new CheckedTable(connection, 'publication_index').put([1, blobOf(new Float64Array(0))]);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${LAYOUT}`);
}

function upgrade(db: DatabaseSync, path: string): void {
  const from = pragma(db, 'user_version');
  for (let layout = from; layout < LAYOUT; layout++) db.exec(Object.values(NEW_TABLES[layout]!).join(';\n')); // one per layout since the oldest
  if (from === OLDEST_LAYOUT) addFineCoverage(new Connection(db, path));
  db.exec(`PRAGMA user_version = ${LAYOUT}`);
}

function addFineCoverage(connection: Connection): void {
  const { assets } = new MetaTable(connection).read();
  for (const layout of [SERIES['1h'], SERIES['1m']]) {
    if (assets > 0) new CoverageTable(connection, layout).addAssets(1, assets);
  }
}

/** `older`: of an older layout that can be upgraded. Refuses a database of another application or of another layout. */
function stateOf(db: DatabaseSync, path: string): 'empty' | 'older' | 'ready' {
  // In one transaction: another process may be creating the tables just now.
  const within = db.isTransaction;
  if (!within) db.exec('BEGIN');
  const layout = pragma(db, 'user_version');
  const application = pragma(db, 'application_id');
  const blank = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (!within) db.exec('COMMIT');

  if (application === 0 && layout === 0 && blank) return 'empty';
  if (application !== APPLICATION_ID) {
    throw new StoreError(
      'not_a_store',
      `${path} is the database of another application`,
      'name another file, or one that does not exist yet',
    );
  }
  if (layout > LAYOUT) throw newerVersion(path, layout, LAYOUT);
  if (layout < OLDEST_LAYOUT) throw olderVersion(path, layout, LAYOUT);
  return layout === LAYOUT ? 'ready' : 'older';
}

/** The statements that created the tables are stored as text, without a checksum. */
function requireTables(db: DatabaseSync, path: string): void {
  const found = db.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  const expected: Readonly<Record<string, string>> = { ...TABLES, ...INDEXES };
  const intact = found.every(({ name, sql }) => expected[String(name)] === sql);
  if (found.length !== Object.keys(expected).length || !intact)
    throw damaged(path, undefined, ' (its schema has changed)');
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

// Creates the tables of a new PostgreSQL store, upgrades those of earlier layouts, and refuses any other.

import { newerVersion, olderVersion } from '../port/errors.ts';
import { StoreError } from '../port/store.ts';
import type { Database, Sql } from './database.ts';
import { LAYOUT, OLDEST_LAYOUT, TABLES, UPGRADES } from './layout.ts';
import { isDistributed } from './node-shares.ts';
import { ALL_COLUMNS, addColumns, columnsOf, missingColumns, ownsTables } from './published-columns.ts';
import { FINE_SERIES, type SeriesLayout } from './series-layout.ts';
import { BARS_DAILY, VIEWS } from './views.ts';

/** As `server_version_num`: the oldest version that still gets fixes. */
const OLDEST_SERVER = 140_000;

/** How long a change of tables waits for reads in progress. New reads wait for the change meanwhile. */
const LOCK_MILLIS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** `create`: whether to create the tables in an empty database. */
export async function migrate(db: Database, create: boolean): Promise<void> {
  const layout = await db.query(sql => layoutOf(sql, db.name));
  if (layout === null && !create) throw noTables(db.name);
  // An up-to-date store is not written: the database may be a replica, and the role may lack the rights.
  if (layout !== LAYOUT) await changeLayout(db);
  else if (await db.query(isBehind)) await catchUp(db);
}

async function changeLayout(db: Database): Promise<void> {
  await db.write(async sql => {
    const layout = await layoutOf(sql, db.name);
    // Another process may have done it since.
    if (layout === LAYOUT) return;
    if (layout === null) await createTables(sql, db.name);
    else await upgrade(sql, layout);
    await completeViews(sql);
  });
}

async function createTables(sql: Sql, where: string): Promise<void> {
  const [{ encoding } = { encoding: '' }] = await sql<{
    encoding: string;
  }>`SELECT current_setting('server_encoding') AS encoding`;
  if (encoding !== 'UTF8') throw wrongEncoding(where, encoding);
  await sql.script(`CREATE SCHEMA IF NOT EXISTS tidemark; ${TABLES} ${VIEWS}`);
}

async function upgrade(sql: Sql, from: number): Promise<void> {
  for (let layout = from; layout < LAYOUT; layout++) await sql.script(UPGRADES[layout]!); // one per layout since the oldest
  // As deploy/citus/setup.sql does for a new store.
  if (from < 13 && (await isDistributed(sql))) await sql.script(FINE_SERIES.flatMap(distributed).join(';\n'));
  await sql.script(`UPDATE tidemark.meta SET layout = ${LAYOUT}`);
}

function distributed({ blocks, coverage, replaced }: SeriesLayout): string[] {
  return [blocks, coverage, replaced].map(
    table => `SELECT create_distributed_table('${table}', 'asset', colocate_with => 'tidemark.bar_blocks')`,
  );
}

/** Whether an older version created the tables with fewer columns, and this role can add them. */
async function isBehind(sql: Sql): Promise<boolean> {
  const lacks = (await missingColumns(sql, ALL_COLUMNS)).length > 0 || (await lacksBlocks(sql));
  return lacks && (await ownsTables(sql));
}

/** The missing columns are not needed before the next publication: if the tables are being read for too long, the store opens without them. */
async function catchUp(db: Database): Promise<void> {
  try {
    await db.write(async sql => {
      await sql.script(`SET LOCAL lock_timeout = ${LOCK_MILLIS}`);
      if (await isBehind(sql)) await completeViews(sql);
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE)) throw error;
  }
}

async function completeViews(sql: Sql): Promise<void> {
  if (await lacksBlocks(sql)) await sql.script(BARS_DAILY);
  await addColumns(sql, ALL_COLUMNS);
}

async function lacksBlocks(sql: Sql): Promise<boolean> {
  return !(await columnsOf(sql, 'bars_daily')).includes('block');
}

/** Null for an empty database. Fails for the schema of another application. */
async function layoutOf(sql: Sql, where: string): Promise<number | null> {
  const [found] = await sql<{ server: number; name: string; meta: boolean; tables: number }>`
    SELECT current_setting('server_version_num')::int AS server, current_setting('server_version') AS name,
      to_regclass('tidemark.meta') IS NOT NULL AS meta, count(*)::int AS tables
    FROM pg_class WHERE relnamespace = to_regnamespace('tidemark') AND relkind IN ('r', 'p')`;
  const { server, name, meta, tables } = found!; // a count always gives one row
  if (server < OLDEST_SERVER) {
    throw new StoreError(
      'old_server',
      `${where} is PostgreSQL ${name}, which is too old`,
      'use PostgreSQL 14 or later (tested: 15 and 18)',
    );
  }
  if (!meta) {
    if (tables === 0) return null;
    throw new StoreError(
      'not_a_store',
      `${where} has a schema tidemark that is another application's`,
      'use a database of its own for the store',
    );
  }
  const [row] = await sql<{ layout: number }>`SELECT layout FROM tidemark.meta`;
  const layout = row?.layout ?? 0;
  if (layout > LAYOUT) throw newerVersion(where, layout, LAYOUT);
  if (layout < OLDEST_LAYOUT) throw olderVersion(where, layout, LAYOUT);
  return layout;
}

function noTables(where: string): StoreError {
  return new StoreError(
    'missing',
    `there is no store in ${where}`,
    "'tidemark ingest', with the role that owns the database, creates one; --store names another.",
  );
}

/** Names of assets and texts of profiles are in any script. */
function wrongEncoding(where: string, encoding: string): StoreError {
  return new StoreError(
    'not_a_store',
    `${where} has the encoding ${encoding}, which lacks characters that names of assets have`,
    "create the database with ENCODING 'UTF8' TEMPLATE template0, as docs/how-to/postgres.md does",
  );
}

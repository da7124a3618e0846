// Makes the tables of a new PostgreSQL store, and refuses what it cannot use.

import { PUBLISHED_COLUMNS } from '../../domain/optional-columns.ts';
import { newerVersion, olderVersion } from '../faults.ts';
import { StoreError } from '../store.ts';
import type { Database, Sql } from './connection.ts';
import { addColumns } from './published-columns.ts';
import { LAYOUT, TABLES, VIEWS } from './schema.ts';

/** As `server_version_num`. The oldest that its makers still mend. */
const OLDEST_SERVER = 140_000;

export async function migrate(db: Database): Promise<void> {
  // Nothing is written where nothing is to be done: the database may be a replica.
  if (await db.query(sql => isThere(sql, db.name))) return;
  await db.write(async sql => {
    // Another process may have done it since.
    if (await isThere(sql, db.name)) return;
    await sql.script(`CREATE SCHEMA IF NOT EXISTS tidemark; ${TABLES} ${VIEWS}`);
    await addColumns(
      sql,
      PUBLISHED_COLUMNS.map(column => column.name),
    );
  });
}

/** False for an empty database. Refuses what is not one of ours. */
async function isThere(sql: Sql, where: string): Promise<boolean> {
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
    if (tables === 0) return false;
    throw new StoreError(
      'not_a_store',
      `${where} has a schema tidemark that is another application's`,
      'use a database of its own for the store',
    );
  }
  const [row] = await sql<{ layout: number }>`SELECT layout FROM tidemark.meta`;
  const layout = row?.layout ?? 0;
  if (layout > LAYOUT) throw newerVersion(where, layout, LAYOUT);
  if (layout < LAYOUT) throw olderVersion(where, layout, LAYOUT);
  return true;
}

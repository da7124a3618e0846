// Brings the tables of a PostgreSQL store up to date.

import { newerVersion } from '../faults.ts';
import { StoreError } from '../store.ts';
import type { Client, Database, Transaction } from './connection.ts';
import { MIGRATIONS } from './migrations.ts';

export async function migrate(db: Database): Promise<void> {
  // Nothing is written where nothing is to be done: the database may be a replica.
  if ((await db.query(sql => layout(sql, db.name))) === MIGRATIONS.length) return;
  await db.write(async sql => {
    // Another process may have done it since.
    const applied = await layout(sql, db.name);
    await sql`CREATE SCHEMA IF NOT EXISTS tidemark`;
    for (const step of MIGRATIONS.slice(applied)) await sql.unsafe(step);
    await sql`UPDATE tidemark.meta SET layout = ${MIGRATIONS.length}`;
  });
}

/** The number of the last step applied: 0 for an empty database. Refuses what is not one of ours. */
async function layout(sql: Client | Transaction, where: string): Promise<number> {
  const [found] = await sql<{ meta: boolean; tables: number }[]>`
    SELECT to_regclass('tidemark.meta') IS NOT NULL AS meta, count(*)::int AS tables
    FROM pg_class WHERE relnamespace = to_regnamespace('tidemark') AND relkind IN ('r', 'p')`;
  if (!found?.meta) {
    if (found?.tables === 0) return 0;
    throw new StoreError(
      'not_a_store',
      `${where} has a schema tidemark that is another application's`,
      'use a database of its own for the store',
    );
  }
  const [meta] = await sql<{ layout: number }[]>`SELECT layout FROM tidemark.meta`;
  const version = meta?.layout ?? 0;
  if (version > MIGRATIONS.length) throw newerVersion(where, version, MIGRATIONS.length);
  return version;
}

// A store as an older layout had it: without the tables that were added since. It must have nothing in them.

import { DatabaseSync } from 'node:sqlite';
import { LAYOUT, NEW_TABLES, OLDEST_LAYOUT } from '../../src/store/sqlite/layout.ts';
import { runSql } from './postgres.ts';

export function makeOlderSqlite(path: string, older: number = OLDEST_LAYOUT): void {
  const db = new DatabaseSync(path);
  for (let layout = older; layout < LAYOUT; layout++) {
    for (const name of Object.keys(NEW_TABLES[layout]!)) db.exec(`DROP TABLE ${name}`);
  }
  db.exec(`PRAGMA user_version = ${older}`);
  db.close();
}

/** Layout 12, the one before bars of hours and minutes. */
export async function makeOlderPostgres(url: string): Promise<void> {
  const added = await runSql<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'tidemark'::regnamespace AND relkind = 'r'
       AND (relname ~ '_1[hm]$' OR relname = ANY('{dropped_bars,${ADDED_TABLES}}'))`,
  );
  const names = added.map(({ name }) => `tidemark.${name}`).join(', ');
  await runSql(url, `DROP TABLE ${names}; UPDATE tidemark.meta SET layout = 12`);
}

const ADDED_TABLES = [16, 17].flatMap(layout => Object.keys(NEW_TABLES[layout]!)).join();

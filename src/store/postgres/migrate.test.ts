import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database, Sql } from './database.ts';
import { migrate } from './migrate.ts';

it('a server that is too old is refused with its version', async () => {
  const sql = async () => [{ server: 130_018, name: '13.18', meta: false, tables: 0 }];
  // Nothing else is asked of a server that is too old.
  const db = { name: 'postgres://u@h/d', query: (work: (sql: Sql) => unknown) => work(sql as unknown as Sql) };
  await assert.rejects(migrate(db as unknown as Database, true), {
    code: 'old_server',
    message: 'postgres://u@h/d is PostgreSQL 13.18, which is too old',
    hint: /PostgreSQL 14 or later/,
  });
});

// The short form of `npm run agree`.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { agree } from './run.ts';

it('SQLite, PostgreSQL, a plain scan and DuckDB answer random requests alike', async () => {
  const { requests, byDuckDb, rows, differences } = await agree({ seed: 1, first: 0, count: 300, assets: 50 });
  assert.deepEqual(differences, []);
  assert.ok(rows > requests && byDuckDb > 0, `${rows} rows of ${requests} answers say little`);
});

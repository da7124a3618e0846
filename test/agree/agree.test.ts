// The short form of `npm run agree`.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { agree } from './run.ts';

it('SQLite, PostgreSQL, a plain scan and DuckDB answer random requests alike', async () => {
  const { requests, byDuckDb, withInterval, withQuote, rows, differences } = await agree({
    seed: 1,
    first: 0,
    count: 300,
    assets: 50,
  });
  assert.deepEqual(differences, []);
  assert.ok(
    Math.min(withInterval, withQuote) > requests / 8,
    `${withInterval} with an interval, ${withQuote} in a quote`,
  );
  assert.ok(rows > requests && byDuckDb > 0, `${rows} rows of ${requests} answers say little`);
});

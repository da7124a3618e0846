// A connection pooler in front of PostgreSQL: locks need sessions that stay.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { StoreError } from '../../src/store/store.ts';
import { throughPgBouncer } from '../support/pgbouncer.ts';
import { freshPostgresUrl, postgresServer, runSql } from '../support/postgres.ts';
import { draft } from './fixtures.ts';

const server = await postgresServer();

test('PgBouncer in session mode needs no settings of its own, and locks hold', async t => {
  const url = await freshPostgresUrl();
  const through = await throughPgBouncer(t, url, server, 'session');
  const [one, other] = [await openStore(through), await openStore(through)];
  t.after(() => Promise.all([one.close(), other.close()]));
  await one.putAssets([draft('a')]);
  const lock = await one.lock('load');
  assert.ok(lock);
  assert.equal(await other.lock('load'), null);
  await lock.release();
  const next = await other.lock('load');
  assert.ok(next);
  await next.release();
});

for (const busy of [false, true]) {
  test(`PgBouncer in transaction mode is refused${busy ? ', also while others use it' : ''}`, async t => {
    const url = await freshPostgresUrl();
    await (await openStore(url)).close();
    const through = await throughPgBouncer(t, url, server, 'transaction');
    let stopped = !busy;
    const others = Array.from({ length: 4 }, async () => {
      while (!stopped) await runSql(through, 'BEGIN; SELECT pg_sleep(0.002); COMMIT; SELECT 1');
    });
    const refusals: unknown[] = [];
    for (let i = 0; i < 5; i++) {
      await openStore(through).then(
        store => store.close(),
        error => refusals.push(error),
      );
    }
    stopped = true;
    await Promise.all(others);
    assert.equal(refusals.length, 5);
    for (const error of refusals) {
      assert.ok(error instanceof StoreError && error.code === 'pooler', String(error));
      assert.match(error.hint, /pool_mode = session/);
    }
  });
}

test('PgBouncer in statement mode is refused with what it says', async t => {
  const url = await freshPostgresUrl();
  await (await openStore(url)).close();
  const through = await throughPgBouncer(t, url, server, 'statement');
  await assert.rejects(openStore(through), { code: /pooler|unreachable/, message: /session|transaction/ });
});

test('what PgBouncer says of a database that it cannot reach is shown, and not taken for a node', async t => {
  const url = await freshPostgresUrl();
  const through = await throughPgBouncer(t, url, server, 'session');
  const missing = Object.assign(new URL(through), { pathname: '/none' }).href;
  await assert.rejects(openStore(missing), (error: Error & { code?: string }) => {
    assert.match(`${error.code}`, /^unreachable$/);
    assert.match(error.message, /none/);
    return true;
  });
});

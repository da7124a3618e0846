// The PostgreSQL store: the contract, and what only a server can be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openStore } from '../../src/store/open.ts';
import { LOCK_SPACE } from '../../src/store/postgres/database.ts';
import { freshPostgresUrl, postgresServer, runSql } from '../support/postgres.ts';
import { DAY } from './fixtures.ts';
import { storeContract } from './store.ts';

storeContract('PostgreSQL 18', () => freshPostgresUrl());

test('the description names the database and not the password', async t => {
  const url = await freshPostgresUrl();
  const store = await openStore(url);
  t.after(() => store.close());
  const { user, port } = await postgresServer();
  assert.equal(store.description, `postgres://${user}@127.0.0.1:${port}/${new URL(url).pathname.slice(1)}`);
});

test('a store of a newer version is refused', async () => {
  const url = await freshPostgresUrl();
  await (await openStore(url)).close();
  await runSql(url, 'UPDATE tidemark.meta SET layout = 999');
  await assert.rejects(openStore(url), { code: 'newer_version', message: /layout 999/ });
});

test('a schema of the same name that is another application’s is refused and left alone', async () => {
  const url = await freshPostgresUrl();
  await runSql(url, 'CREATE SCHEMA tidemark; CREATE TABLE tidemark.songs (title text)');
  await assert.rejects(openStore(url), { code: 'not_a_store' });
  const tables = await runSql(url, `SELECT relname FROM pg_class WHERE relnamespace = 'tidemark'::regnamespace`);
  assert.deepEqual(tables, [{ relname: 'songs' }]);
});

test('a store that only may be read opens, reads, and says so when written', async t => {
  const url = await freshPostgresUrl();
  await (await openStore(url)).close();
  await runSql(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
  const store = await openStore(url);
  t.after(() => store.close());
  assert.equal(await store.version(), 0);
  await assert.rejects(store.beginLoad('csv'), { code: 'read_only' });
});

test('a lock whose connection breaks is lost, and says so', async t => {
  const url = await freshPostgresUrl();
  const store = await openStore(url);
  t.after(() => store.close());
  const lock = await store.lock('load');
  assert.ok(lock);
  t.after(() => lock.release());
  const lost = new Promise(resolve => lock.lost.addEventListener('abort', resolve));
  const holders = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 2`;
  await runSql(url, holders);
  await lost;
  const next = await store.lock('load');
  assert.ok(next);
  t.after(() => next.release());
  await lock.release();
  assert.equal(await store.lock('load'), null);
});

test('every table that grows with the assets has the asset in its primary key and refers to no other table', async () => {
  const url = await freshPostgresUrl();
  await (await openStore(url)).close();
  const keys = await runSql<{ name: string; key: string[]; columns: string[] }>(
    url,
    `
      SELECT c.relname AS name,
        (SELECT array_agg(a.attname::text) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns,
        (SELECT array_agg(a.attname::text) FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
         WHERE i.indrelid = c.oid AND i.indisprimary) AS key
      FROM pg_class c WHERE relnamespace = 'tidemark'::regnamespace AND relkind = 'r'`,
  );
  assert.ok(keys.length > 5);
  // What people enter one by one stays small, however many assets there are.
  const small = ['corrections', 'actions'];
  for (const { name, key, columns } of keys.filter(table => !small.includes(table.name))) {
    if (columns.includes('asset')) assert.ok(key.includes('asset'), `${name} is keyed by ${key}`);
  }
  const bound = await runSql(url, `SELECT conname FROM pg_constraint WHERE contype = 'f'`);
  assert.equal(bound.length, 0);
});

test('a store of an older layout is refused with the way to migrate', async () => {
  const url = await freshPostgresUrl();
  await (await openStore(url)).close();
  await runSql(url, 'UPDATE tidemark.meta SET layout = 5');
  await assert.rejects(openStore(url), {
    code: 'older_version',
    message: /layout 5/,
    hint: /backup FILE.*restore FILE/,
  });
});

test('a store of the oldest layout is upgraded when it is opened, and its view keeps its rights', async () => {
  const url = await freshPostgresUrl();
  await (await openStore(url)).close();
  const role = `reads_old_${new URL(url).pathname.slice(1)}`;
  // As it was, apart from most of the columns of the view.
  await runSql(
    url,
    `ALTER TABLE tidemark.meta DROP COLUMN active_days CASCADE; UPDATE tidemark.meta SET layout = 11;
     DROP TABLE tidemark.dropped_bars, tidemark.bar_blocks_1h, tidemark.coverage_1h, tidemark.replaced_closes_1h,
       tidemark.bar_blocks_1m, tidemark.coverage_1m, tidemark.replaced_closes_1m,
       tidemark.sources, tidemark.source_blocks, tidemark.unmerged, tidemark.price_rules, tidemark.corrections,
       tidemark.actions, tidemark.findings, tidemark.acceptances, tidemark.checks, tidemark.fact_blocks, tidemark.rewritten;
     CREATE VIEW tidemark.ta_cur AS
       SELECT assets.id AS asset_id, (date '1970-01-01' + published.close_day)::timestamp AT TIME ZONE 'UTC' AS "datetimeUTC",
         assets.symbol, published.price, published.change1
       FROM tidemark.published JOIN tidemark.assets ON assets.key = published.asset;
     CREATE ROLE ${role}; GRANT SELECT ON tidemark.ta_cur TO ${role};
     GRANT SELECT, UPDATE ON tidemark.coverage TO ${role}; GRANT SELECT ON tidemark.bar_blocks TO ${role}`,
  );
  await (await openStore(url)).close();
  assert.deepEqual(await runSql(url, 'SELECT layout, active_days FROM tidemark.meta'), [
    { layout: 15, active_days: 7 },
  ]);
  const may = await runSql(url, `SELECT has_table_privilege('${role}', 'tidemark.ta_cur', 'SELECT') AS may`);
  assert.deepEqual(may, [{ may: true }]);
  const fine = await runSql(
    url,
    `SELECT has_table_privilege('${role}', 'tidemark.coverage_1h', 'UPDATE') AS coverage,
       has_table_privilege('${role}', 'tidemark.bar_blocks_1m', 'SELECT') AS bars,
       has_table_privilege('${role}', 'tidemark.bar_blocks_1m', 'DELETE') AS more,
       has_table_privilege('${role}', 'tidemark.dropped_bars', 'SELECT') AS dropped,
       has_table_privilege('${role}', 'tidemark.findings', 'SELECT') AS findings,
       has_table_privilege('${role}', 'tidemark.source_blocks', 'INSERT') AS writes`,
  );
  assert.deepEqual(fine, [{ coverage: true, bars: true, more: false, dropped: true, findings: true, writes: false }]);
  assert.deepEqual(await runSql(url, 'SELECT rank, market_cap, vol50, ath FROM tidemark.ta_cur'), []);
  const [first] = await runSql<{ names: string }>(
    url,
    `SELECT string_agg(attname, ',' ORDER BY attnum) AS names FROM pg_attribute
     WHERE attrelid = 'tidemark.ta_cur'::regclass AND attnum <= 7`,
  );
  assert.equal(first!.names, 'asset_id,datetimeUTC,symbol,price,change1,change5,change7');
});

test('views and columns that an earlier version of the same layout did not have are added when the store is opened', async () => {
  const url = await freshPostgresUrl();
  await (await openStore(url)).close();
  await runSql(
    url,
    `ALTER TABLE tidemark.published DROP COLUMN rsi14 CASCADE; DROP VIEW tidemark.bars_daily;
     CREATE VIEW tidemark.bars_daily AS SELECT ''::text COLLATE "C" AS asset_id, ''::text AS symbol, current_date AS day,
       1.0::float8 AS open, 1.0::float8 AS high, 1.0::float8 AS low, 1.0::float8 AS close, 1.0::float8 AS volume`,
  );
  // A read that is open for long does not keep it from being opened.
  const reader = new pg.Client(url);
  await reader.connect();
  await reader.query('BEGIN; SELECT * FROM tidemark.published, tidemark.bars_daily');
  await (await openStore(url)).close();
  assert.deepEqual(await runSql(url, 'SELECT asset_id FROM tidemark.bars_daily'), [{ asset_id: '' }]);
  await reader.end();
  await (await openStore(url)).close();
  assert.deepEqual(await runSql(url, 'SELECT asset_number, block FROM tidemark.bars_daily'), []);
  assert.deepEqual(await runSql(url, 'SELECT rsi14 FROM tidemark.ta_cur'), []);
});

test('uses are counted while another process writes bars', async t => {
  const url = await freshPostgresUrl();
  const store = await openStore(url);
  t.after(() => store.close());
  const writer = new pg.Client(url);
  await writer.connect();
  t.after(() => writer.end());
  await writer.query('BEGIN');
  await writer.query('SELECT pg_advisory_xact_lock($1, 1)', [LOCK_SPACE]);
  const counted = await store.addUsage(DAY, [{ keyId: 'key_a', accepted: 1, refused: 0 }]);
  assert.deepEqual(counted, [{ keyId: 'key_a', accepted: 1, refused: 0 }]);
  assert.equal(await store.heartbeat('server', 1000), 1);
});

test('a server that was silent for a day is forgotten', async t => {
  const url = await freshPostgresUrl();
  const store = await openStore(url);
  t.after(() => store.close());
  await store.heartbeat('old', 1000);
  await store.heartbeat('late', 1000);
  await runSql(
    url,
    `UPDATE tidemark.servers SET heartbeat_at = heartbeat_at - interval '1 day 1 second' WHERE id = 'old';
     UPDATE tidemark.servers SET heartbeat_at = heartbeat_at - interval '23 hours 59 minutes' WHERE id = 'late'`,
  );
  assert.equal(await store.heartbeat('new', 1000), 1);
  const left = await runSql<{ id: string }>(url, 'SELECT id FROM tidemark.servers ORDER BY id');
  assert.deepEqual(
    left.map(({ id }) => id),
    ['late', 'new'],
  );
});

const refusals: [what: string, url: (right: URL) => string, code: string, hint: RegExp][] = [
  ['no server at the port', () => 'postgres://u:secret@127.0.0.1:1/x', 'unreachable', /server runs/],
  ['a wrong password', right => Object.assign(right, { password: 'secret' }).href, 'unreachable', /password/],
  ['no such database', right => Object.assign(right, { pathname: '/none' }).href, 'unreachable', /create the database/],
  ['a URL that is none', () => 'postgres://u:secret@[broken/x', 'bad_url', /%40/],
];
for (const [what, url, code, hint] of refusals) {
  test(`${what} is told plainly and without the password`, async () => {
    const right = new URL((await postgresServer()).url('postgres'));
    await assert.rejects(openStore(url(right)), (error: Error & { code?: string; hint?: string }) => {
      assert.equal(error.code, code);
      assert.match(error.hint ?? '', hint);
      assert.doesNotMatch(error.message + error.hint, /secret/);
      return true;
    });
  });
}

// What a role or a server sets for its sessions and connections does not get in the way of a store.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../../src/store/open.ts';
import { freshPostgresUrl, runSql } from '../support/postgres.ts';
import { batch, draft } from './fixtures.ts';

/** A role of its own that owns the database: how to set something of it, and the URL with it. */
async function freshOwner() {
  const url = await freshPostgresUrl();
  const database = new URL(url).pathname.slice(1);
  const role = `owner_${database}`;
  await runSql(url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; ALTER DATABASE ${database} OWNER TO ${role}`);
  return {
    alter: (setting: string) => runSql(url, `ALTER ROLE ${role} ${setting}`),
    url: Object.assign(new URL(url), { username: role, password: 'secret' }).href,
  };
}

const TIMEOUTS = [
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
  'statement_timeout',
  'transaction_timeout',
];

test('time-outs of the role end neither a long read nor a lock that is idle', async t => {
  const { alter, url } = await freshOwner();
  for (const name of TIMEOUTS) await alter(`SET ${name} = 200`);
  const store = await openStore(url);
  t.after(() => store.close());
  const lock = await store.lock('alerts');
  assert.ok(lock);
  await store.readConsistently(async view => {
    assert.equal(await view.version(), 0);
    await wait(500);
    assert.equal(await view.version(), 0);
  });
  assert.equal(lock.lost.aborted, false);
  await lock.release();
});

test('a store whose role has no connections left works with those that it has', async t => {
  const { alter, url } = await freshOwner();
  const store = await openStore(url);
  t.after(() => store.close());
  const assetNumbers = await store.putAssets([draft('a'), draft('b')]);
  await store.putBars(batch(assetNumbers.map(assetNumber => ({ assetNumber, day: 0, close: 1 }))));
  await alter('CONNECTION LIMIT 2');
  const all = await Promise.all(Array.from({ length: 20 }, () => store.assets()));
  assert.ok(all.every(assets => assets.length === 2));
  await assert.rejects(openStore(url), {
    code: 'unreachable',
    message: /accepts no more connections \(too many connections for role/,
    hint: /limit of the role/,
  });
});

test('what is asked in one transaction at the same time runs one after the other, without a warning of the driver', async t => {
  const store = await openStore(await freshPostgresUrl());
  t.after(() => store.close());
  const [assetNumber = 0] = await store.putAssets([draft('a')]);
  await store.putBars(batch([{ assetNumber, day: 0, close: 1 }]));
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.message);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  const all = await store.readConsistently(view =>
    Promise.all([1, 2, 3].map(days => view.closes([assetNumber], days))),
  );
  assert.deepEqual(
    all.map(({ close }) => [...close]),
    [[1], [1], [1]],
  );
  // Warnings are told in another turn.
  await wait(10);
  assert.deepEqual(warnings, []);
});

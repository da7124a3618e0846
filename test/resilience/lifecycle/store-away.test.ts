// The real program while its store is away: at the start, in the middle, and when it is back.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DEMO_KEYS, hashOf } from '../../../src/domain/api-key.ts';
import { openStore } from '../../../src/store/open.ts';
import { ServerProcess, tidemark } from '../../support/server-process.ts';
import { type Answer, ask } from '../../support/service.ts';
import { type BreakableStore, breakablePostgres, breakableSqlite } from './breakable-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-away-'));
after(() => rmSync(folder, { recursive: true }));

const LISTING = '/v1/crypto/ta-cur?sort=symbol&order=asc';
const PROFILE = '/v1/coins/AAA';
const HISTORY = '/v1/crypto/ta-hist?symbol=BBB';
const day = new Date().toISOString().slice(0, 10);

let files = 0;
async function load(url: string, closes: Readonly<Record<string, number>>): Promise<void> {
  const file = join(folder, `${files++}.csv`);
  writeFileSync(
    file,
    ['symbol,day,close', ...Object.entries(closes).map(([s, close]) => `${s},${day},${close}`)].join('\n'),
  );
  await tidemark('ingest', 'csv', file, '--store', url);
}

async function makeKeys(url: string): Promise<void> {
  const store = await openStore(url);
  for (const [tier, key] of Object.entries(DEMO_KEYS)) {
    await store.createKey({ id: `key_${tier}`, hash: hashOf(key), tier, name: null, expires: null });
  }
  await store.revokeKey('key_free');
  await store.close();
}

const get = (server: ServerProcess, path: string, key = DEMO_KEYS.pro) =>
  ask(server.url, path, { headers: { 'x-api-key': key } });
const prices = (answer: Answer) => {
  assert.equal(answer.status, 200, answer.text);
  return Object.fromEntries(
    answer.json<{ result: { symbol: string; price: number }[] }>().result.map(({ symbol, price }) => [symbol, price]),
  );
};
const ready = async (server: ServerProcess) =>
  (await ask(server.url, '/readyz')).json<{ status: string; age: number; store: string }>();

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const ends = performance.now() + 20_000;
  while (!(await holds())) {
    assert.ok(performance.now() < ends, `it never came about that ${what}`);
    await wait(20);
  }
}

const STORES: Readonly<Record<string, { live: boolean; make: () => Promise<BreakableStore> }>> = {
  SQLite: { live: false, make: async () => breakableSqlite(mkdtempSync(join(folder, 'sqlite-'))) },
  PostgreSQL: { live: true, make: breakablePostgres },
};

for (const [name, { live, make }] of Object.entries(STORES)) {
  describe(`a server whose ${name} store is away`, () => {
    it('serves what it has read or kept, says how old that is, and takes up the store when it is back', async t => {
      const store = await make();
      // Otherwise its gate would keep the process of a failed test.
      t.after(() => store.close());
      const kept = join(folder, `${name}.snapshot`);
      const serve = () =>
        ServerProcess.start('--workers', '2', '--store', store.url, '--keep', kept, '--stale-after', '1');
      await load(store.direct, { AAA: 5, BBB: 6 });
      await makeKeys(store.direct);
      let server = await serve();
      assert.deepEqual(prices(await get(server, LISTING)), { AAA: 5, BBB: 6 });
      const { 'x-data-version': version } = (await get(server, LISTING)).headers;
      if (live) await losesAndRegains(server, store);
      assert.equal(await server.stop(), 0, server.stderr);
      assert.ok(!readFileSync(kept, 'latin1').includes(DEMO_KEYS.pro));

      await store.takeAway();
      server = await serve();
      assert.deepEqual(prices(await get(server, LISTING)), { AAA: 5, BBB: 6 });
      assert.equal((await get(server, LISTING)).headers['x-data-version'], version);
      await until('the data is stale', async () => (await ready(server)).status === 'stale');
      assert.ok(Number((await get(server, LISTING)).headers['x-data-age']) > 1);
      for (const path of [PROFILE, HISTORY]) {
        const { status, text, headers } = await get(server, path);
        assert.deepEqual([status, JSON.parse(text).code], [503, 'store_unavailable']);
        assert.match(String(headers['retry-after']), /^\d+$/);
      }
      assert.equal((await get(server, LISTING, DEMO_KEYS.free)).status, 401, 'a revoked key stays revoked');
      assert.match(
        server.stderr,
        /^the store is unreachable for data: .*\nserving the snapshot kept in .*, confirmed \d+ s ago .*\n$/,
      );

      await store.giveBack();
      await until('the store is used again', async () => (await ready(server)).store === 'current');
      assert.equal((await get(server, PROFILE)).status, 200);
      assert.match(server.stderr, /\nthe store is reachable for data again, after \d+\.\d s\n/);
      await load(store.direct, { AAA: 7 });
      await until('new data is shown', async () => prices(await get(server, LISTING))['AAA'] === 7);
      assert.equal(await server.stop(), 0, server.stderr);
    });
  });
}

describe('a server that starts while its store is away', () => {
  it('names it without its password', async () => {
    const server = await ServerProcess.start(
      '--workers',
      '1',
      '--store',
      'postgres://me:secret@127.0.0.1:1/prices',
      '--log',
      'json',
    );
    assert.equal(await server.stop(), 0);
    assert.doesNotMatch(server.stderr, /secret/);
    const lines = server.stderr.trimEnd().split('\n');
    const serving = lines.map(line => JSON.parse(line)).find(({ event }) => event === 'serving');
    assert.equal(serving.store, 'postgres://me@127.0.0.1:1/prices');
  });
});

/** While it runs. */
async function losesAndRegains(server: ServerProcess, store: BreakableStore): Promise<void> {
  await store.takeAway();
  await until('the data is stale', async () => (await ready(server)).status === 'stale');
  assert.deepEqual(prices(await get(server, LISTING)), { AAA: 5, BBB: 6 });
  assert.equal((await get(server, PROFILE)).status, 503);
  await store.giveBack();
  await until('the store is used again', async () => (await ready(server)).store === 'current');
  assert.deepEqual([(await get(server, PROFILE)).status, (await get(server, HISTORY)).status], [200, 200]);
}

describe('a server that starts without its store', () => {
  it('and without anything kept is broken until the store is there', async () => {
    const store = breakableSqlite(mkdtempSync(join(folder, 'broken-')));
    await load(store.direct, { AAA: 5 });
    await store.takeAway();
    const server = await ServerProcess.start('--workers', '1', '--open', '--store', store.url);
    assert.equal((await ready(server)).status, 'broken');
    assert.equal((await get(server, LISTING)).status, 503);
    assert.equal((await get(server, '/healthz')).status, 200);
    await store.giveBack();
    await until('it is ready', async () => (await ready(server)).status === 'ready');
    assert.deepEqual(prices(await get(server, LISTING)), { AAA: 5 });
    assert.equal(await server.stop(), 0);
  });

  it('ignores a kept file that is damaged or of another store, and says so in one line', async () => {
    const store = breakableSqlite(mkdtempSync(join(folder, 'damaged-')));
    const kept = join(folder, 'damaged.snapshot');
    await load(store.direct, { AAA: 5 });
    const first = await ServerProcess.start('--workers', '1', '--open', '--store', store.url, '--keep', kept);
    assert.equal(await first.stop(), 0, 'told to stop as soon as it has begun, it stops in order');
    const bytes = readFileSync(kept);
    await store.takeAway();
    const other = join(mkdtempSync(join(folder, 'other-')));
    for (const [url, content, why] of [
      [store.url, bytes.subarray(0, -9), 'is damaged'],
      [store.url, Buffer.from('hello'), 'is not a kept snapshot'],
      [`sqlite:${other}`, bytes, 'is of another store'],
    ] as const) {
      writeFileSync(kept, content);
      const server = await ServerProcess.start('--workers', '1', '--open', '--store', url, '--keep', kept);
      assert.equal((await ready(server)).status, 'broken');
      assert.equal(server.stderr.split(`${kept} ${why} and is ignored\n`).length, 2, server.stderr);
      await server.stop();
    }
  });
});

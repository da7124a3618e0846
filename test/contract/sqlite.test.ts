// The SQLite store: the contract, and what only a file can be.

import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import { LAST_PERIOD, type Period } from '../../src/domain/interval.ts';
import { openStore } from '../../src/store/open.ts';
import { CheckedTable } from '../../src/store/sqlite/checked-table.ts';
import { Connection } from '../../src/store/sqlite/connection.ts';
import { LAYOUT, OLDEST_LAYOUT } from '../../src/store/sqlite/layout.ts';
import type { Store } from '../../src/store/store.ts';
import { makeOlderSqlite } from '../support/older-store.ts';
import { everything, fillWithEverything, fillWithRecords } from '../support/whole-store.ts';
import { batch, DAY, draft, row } from './fixtures.ts';
import { storeContract } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-sqlite-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const freshPath = () => join(folder, `${++files}.db`);

storeContract('SQLite', async () => `sqlite:${freshPath()}`, [1, 2, 3]);

test('missing folders are made', async () => {
  const path = join(folder, 'a/b/c.db');
  const store = await openStore(`sqlite:${path}`);
  assert.equal(store.description, `sqlite:${path}`);
  await store.close();
  assert.ok(existsSync(path));
});

test('a link to a store leads to the same lock', async () => {
  const path = freshPath();
  const store = await openStore(`sqlite:${path}`);
  symlinkSync(path, `${path}-link`);
  const linked = await openStore(`sqlite:${path}-link`);
  const lock = await store.lock('load');
  assert.equal(await linked.lock('load'), null);
  await lock?.release();
  await linked.close();
  await store.close();
});

test('a store of a newer version is refused and left alone', async () => {
  const path = freshPath();
  await (await openStore(`sqlite:${path}`)).close();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 999');
  db.close();
  const before = readFileSync(path);
  await assert.rejects(openStore(`sqlite:${path}`), { code: 'newer_version', message: /layout 999/ });
  assert.deepEqual(readFileSync(path), before);
});

test('a store that a newer version takes over is not read any more', async () => {
  const path = freshPath();
  const store = await openStore(`sqlite:${path}`);
  const read = () => store.readConsistently(view => view.version());
  assert.equal(await read(), 0);
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 999');
  db.close();
  await assert.rejects(read(), { code: 'newer_version', message: /layout 999/ });
  await store.close();
});

test('the database of another application is refused and left alone', async () => {
  const path = freshPath();
  const db = new DatabaseSync(path);
  db.exec('CREATE TABLE songs (title TEXT)');
  db.close();
  const before = readFileSync(path);
  await assert.rejects(openStore(`sqlite:${path}`), { code: 'not_a_store', message: /another application/ });
  assert.deepEqual(readFileSync(path), before);
});

test('a file that is no database is refused and left alone', async () => {
  const path = freshPath();
  const text = 'symbol,day,close\n'.repeat(1000);
  writeFileSync(path, text);
  await assert.rejects(openStore(`sqlite:${path}`), { code: 'not_a_store', message: /not a SQLite database/ });
  assert.equal(readFileSync(path, 'utf8'), text);
});

test('a damaged store is told as such', async () => {
  const path = freshPath();
  const store = await openStore(`sqlite:${path}`);
  await store.putAssets(Array.from({ length: 2000 }, (_, i) => draft(`asset-${i}`)));
  await store.close();
  const bytes = readFileSync(path);
  // All pages after the first: the header stays readable.
  bytes.fill(0xa5, 4096);
  writeFileSync(path, bytes);
  await assert.rejects(
    openStore(`sqlite:${path}`).then(damaged => damaged.assets().finally(() => damaged.close())),
    { code: 'corrupt' },
  );
});

test('a full disk is told as such, and what was acknowledged is kept', async () => {
  const path = freshPath();
  const store = await openStore(`sqlite:${path}`);
  await store.putAssets([draft('kept')]);
  await store.close();
  // A limit on pages is the disk that is full at will.
  const exec = DatabaseSync.prototype.exec;
  DatabaseSync.prototype.exec = function (sql) {
    exec.call(this, sql.includes('PRAGMA synchronous') ? `${sql}; PRAGMA max_page_count = 40` : sql);
  };
  const full = await openStore(`sqlite:${path}`).finally(() => {
    DatabaseSync.prototype.exec = exec;
  });
  const many = Array.from({ length: 20_000 }, (_, i) => draft(`asset-${i}`));
  await assert.rejects(full.putAssets(many), { code: 'full' });
  assert.deepEqual(
    (await full.assets()).map(asset => asset.id),
    ['kept'],
  );
  await full.close();
});

test('a store of an older layout is refused with the way to move it, and left alone', async () => {
  const path = freshPath();
  await (await openStore(`sqlite:${path}`)).close();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 7');
  db.close();
  const before = readFileSync(path);
  await assert.rejects(openStore(`sqlite:${path}`), {
    code: 'older_version',
    message: /older Tidemark \(layout 7/,
    hint: /tidemark backup FILE.*tidemark restore FILE/,
  });
  assert.deepEqual(readFileSync(path), before);
});

for (let older = OLDEST_LAYOUT; older < LAYOUT; older++) {
  test(`a store of layout ${older} is upgraded when it is opened, without a change of what it has`, async t => {
    const path = freshPath();
    const store = await openStore(`sqlite:${path}`);
    const numbers = await store.putAssets(Array.from({ length: 70 }, (_, i) => draft(`asset-${i}`)));
    await store.putBars(batch(numbers.map(assetNumber => ({ assetNumber, day: 0, close: assetNumber }))), 1);
    await store.publish('a', [{ rows: numbers.map(number => row(number, 1)), removed: [] }]);
    await fillWithRecords(store);
    const before = await everything(store);
    await store.close();
    makeOlderSqlite(path, older);
    const [upgraded, other] = await Promise.all([openStore(`sqlite:${path}`), openStore(`sqlite:${path}`)]);
    t.after(() => upgraded.close());
    await other.close();
    assert.deepEqual(await everything(upgraded), before);
    await upgraded.checkIntegrity();
    const minutes = batch(numbers.map(assetNumber => ({ assetNumber, day: 0, close: 2 })));
    minutes.day.fill(1440 * (DAY + 1));
    assert.equal((await upgraded.series('1m').putBars(minutes)).inserted, 70);
    assert.equal((await upgraded.totals()).bars, 140);
    await upgraded.checkIntegrity();
  });
}

test('a store whose schema has changed is refused', async () => {
  const path = freshPath();
  await (await openStore(`sqlite:${path}`)).close();
  const db = new DatabaseSync(path);
  db.exec('DROP INDEX usage_by_key');
  db.close();
  await assert.rejects(openStore(`sqlite:${path}`), { code: 'corrupt', message: /schema/ });
});

const LAST_MINUTE = LAST_PERIOD as Period; // the last of every interval

describe('a change of a stored value', () => {
  // What is written, and which reads must notice.
  const READS: Record<string, (store: Store) => Promise<unknown>> = {
    assets: store => store.assets(),
    'changed assets': store => store.assetsSince(0),
    profile: store => store.profile(1),
    bars: store => store.bars(1, FIRST_DAY, LAST_DAY),
    closes: store => store.closes([1, 2], 400),
    'published closes': store => store.publishedCloses(2, FIRST_DAY, LAST_DAY),
    'current rows': store => store.currentSince(0),
    pending: store => store.pending(),
    version: store => store.version(),
    loads: store => store.loads(10),
    rejects: store => store.rejects(1, 10),
    'API keys': store => store.keys(),
    'version of API keys': store => store.keysVersion(),
    usage: store => store.usage(FIRST_DAY, LAST_DAY),
    totals: store => store.totals(),
    minutes: store => store.series('1m').bars(1, FIRST_DAY, LAST_MINUTE),
    'closes of minutes': store => store.series('1m').closes([1], 10),
    'published minutes': store => store.series('1m').publishedCloses(1, FIRST_DAY, LAST_MINUTE),
    'origins of minutes': store => store.series('1m').origins(1),
    intervals: store => store.intervals(),
  };
  for (const [change, noticed] of [
    ["UPDATE assets SET symbol = 'OTHER' WHERE number = 1", ['assets', 'changed assets']],
    ["UPDATE assets SET name = 'other' WHERE number = 1", ['assets', 'changed assets']],
    ['UPDATE assets SET rank = rank + 1 WHERE number = 1', ['assets', 'changed assets']],
    ['UPDATE assets SET delisted = 1 - delisted WHERE number = 1', ['assets', 'changed assets']],
    ['DELETE FROM assets WHERE number = 2', ['assets', 'changed assets']],
    ["UPDATE profiles SET record = replace(record, 'btc', 'bbc') WHERE asset = 1", ['profile']],
    ["UPDATE coverage SET numbers = CAST(x'01' || substr(numbers, 2) AS BLOB)", ['assets', 'bars', 'closes', 'totals']],
    ['DELETE FROM coverage', ['assets', 'bars', 'closes', 'totals']],
    ["UPDATE tiles SET numbers = CAST(x'01' || substr(numbers, 2) AS BLOB)", ['bars', 'closes']],
    ['UPDATE tiles SET place = place - 1 WHERE place = (SELECT min(place) FROM tiles)', []],
    ['DELETE FROM tiles WHERE place = (SELECT max(place) FROM tiles)', []],
    ['DELETE FROM tiles', ['bars', 'closes', 'published closes']],
    [
      "UPDATE coverage_1m SET numbers = CAST(x'01' || substr(numbers, 2) AS BLOB)",
      ['minutes', 'closes of minutes', 'intervals'],
    ],
    ['DELETE FROM coverage_1h', ['intervals']],
    ["UPDATE blocks_1m SET data = CAST(x'01' || substr(data, 2) AS BLOB)", ['minutes', 'closes of minutes']],
    ['DELETE FROM blocks_1m', ['minutes', 'closes of minutes']],
    [
      "UPDATE blocks_1m SET data = CAST(substr(data, 1, length(data) - 4) || x'07000000' AS BLOB)",
      ['origins of minutes'],
    ],
    ["UPDATE replaced_1m SET closes = CAST(x'01' || substr(closes, 2) AS BLOB)", ['published minutes']],
    ['UPDATE dropped SET before = before + 480', ['intervals']],
    ['UPDATE pending SET assets = assets + 1', ['pending', 'totals']],
    ["UPDATE replaced SET closes = CAST(x'01' || substr(closes, 2) AS BLOB)", ['published closes']],
    ["UPDATE current_rows SET rows = CAST(x'01' || substr(rows, 2) AS BLOB)", ['current rows']],
    ['UPDATE current_rows SET version = version - 1', ['current rows']],
    ['DELETE FROM current_rows', ['current rows']],
    ["UPDATE publication_index SET versions = x''", ['current rows']],
    ['DELETE FROM publication_index', ['current rows']],
    ["UPDATE meta SET columns = 'x'", ['version', 'current rows', 'version of API keys', 'totals']],
    ['DELETE FROM meta', ['version', 'current rows', 'version of API keys', 'assets', 'API keys']],
    ["UPDATE loads SET state = 'done'", ['loads']],
    ["UPDATE rejects SET detail = 'x'", ['rejects']],
    ["UPDATE api_keys SET tier = 'unlimited' WHERE id = 'key_a'", ['API keys']],
    ['UPDATE api_keys SET revoked_at = NULL', ['API keys']],
    ["DELETE FROM api_keys WHERE id = 'key_b'", ['API keys']],
    ['UPDATE usage SET accepted = 0', ['usage']],
    ['UPDATE publications SET version = version + 1', []],
  ] as const) {
    test(`is found by verify, and by reading ${noticed.join(', ') || 'nothing'}: ${change}`, async t => {
      const path = freshPath();
      const store = await openStore(`sqlite:${path}`);
      t.after(() => store.close());
      await fillWithEverything(store);
      await store.checkIntegrity();
      for (const read of Object.values(READS)) await read(store);
      const db = new DatabaseSync(path);
      assert.ok(db.prepare(change).run().changes > 0);
      db.close();
      await assert.rejects(store.checkIntegrity(), { code: 'checksum_mismatch', message: /is damaged/ });
      for (const name of noticed) await assert.rejects(READS[name]!(store), { code: 'checksum_mismatch' }, name);
    });
  }

  for (const [change, message] of [
    ['DELETE FROM current_rows', /the row \d+ of the table current_rows is missing/],
    ['UPDATE current_rows SET version = version - 1', /the row \d+ of the table current_rows /],
  ] as const) {
    test(`names the row that is damaged: ${change}`, async t => {
      const path = freshPath();
      const store = await openStore(`sqlite:${path}`);
      t.after(() => store.close());
      await fillWithEverything(store);
      const db = new DatabaseSync(path);
      db.exec(change);
      db.close();
      await assert.rejects(store.currentSince(0), { code: 'checksum_mismatch', message });
    });
  }

  test('in the heartbeats of servers is forgotten', async t => {
    const path = freshPath();
    const store = await openStore(`sqlite:${path}`);
    t.after(() => store.close());
    await store.heartbeat('one', 60_000);
    const db = new DatabaseSync(path);
    db.exec('UPDATE servers SET heartbeat_at = heartbeat_at + 1e12');
    db.close();
    await assert.rejects(store.checkIntegrity(), { code: 'checksum_mismatch' });
    assert.equal(await store.heartbeat('two', 60_000), 1);
    assert.equal(await store.heartbeat('one', 60_000), 2);
    await store.checkIntegrity();
  });

  for (const change of [
    "UPDATE tail_1m SET data = CAST(x'01' || substr(data, 2) AS BLOB)",
    'UPDATE tail_1m SET place = place + 8',
    'DELETE FROM tail_1m',
    'UPDATE rewritten SET first_period = first_period + 1',
  ]) {
    test(`in the newest bars of many assets is found: ${change}`, async t => {
      const path = freshPath();
      const store = await openStore(`sqlite:${path}`);
      t.after(() => store.close());
      await putMinutes(store, 40, 1, 20);
      const { publish, rewrittenSince } = store;
      const rows = (await store.pending()).map(number => ({ ...row(number, 1), day: DAY }));
      await publish('x', [{ rows, removed: [] }]);
      await putMinutes(store, 40, 2, 15);
      await publish('x', [{ rows, removed: [] }]);
      assert.equal((await rewrittenSince('1m', 0)).size, 40);
      const db = new DatabaseSync(path);
      assert.ok(db.prepare(change).run().changes > 0);
      db.close();
      await assert.rejects(store.checkIntegrity(), { code: 'checksum_mismatch' });
      const read = () =>
        change.includes('rewritten') ? rewrittenSince('1m', 0) : store.series('1m').bars(1, 0 as Period, LAST_MINUTE);
      await assert.rejects(read(), { code: 'checksum_mismatch' });
    });
  }

  test('of one asset does not stop reads of the others', async t => {
    const path = freshPath();
    const store = await openStore(`sqlite:${path}`);
    t.after(() => store.close());
    const numbers = await store.putAssets(Array.from({ length: 64 }, (_, i) => draft(`asset-${i}`)));
    await store.putBars(batch(numbers.map(assetNumber => ({ assetNumber, day: 0, close: assetNumber }))));
    const db = new DatabaseSync(path);
    db.exec("UPDATE tiles SET numbers = CAST(x'01' || substr(numbers, 2) AS BLOB) WHERE place % 2 = 1");
    db.close();
    await assert.rejects(store.bars(40, DAY, DAY), { code: 'checksum_mismatch' });
    assert.deepEqual([...(await store.bars(20, DAY, DAY)).close], [20]);
  });
});

/** So many minutes of so many assets, one batch each. */
async function putMinutes(store: Store, assets: number, close: number, minutes: number): Promise<void> {
  const numbers = await store.putAssets(Array.from({ length: assets }, (_, i) => draft(`asset-${i}`)));
  for (let minute = 0; minute < minutes; minute++) {
    const bars = batch(numbers.map(assetNumber => ({ assetNumber, close, day: 0 })));
    bars.day.fill(1440 * DAY + minute);
    await store.series('1m').putBars(bars);
  }
}

test('a new minute of many assets changes a row per 32 of them, and older ones are in rows of their assets', async t => {
  const path = freshPath();
  const store = await openStore(`sqlite:${path}`);
  t.after(() => store.close());
  const rowsOf = (table: string) => {
    const db = new DatabaseSync(path, { readOnly: true });
    const found = db.prepare(`SELECT count(*) AS rows FROM ${table}`).get();
    db.close();
    return found?.['rows'];
  };
  await putMinutes(store, 95, 1, 8);
  assert.deepEqual(['tail_1m', 'blocks_1m'].map(rowsOf), [3, 0]);
  await putMinutes(store, 95, 1, 300);
  // 300 minutes begin 10 blocks of 32; between 96 and 159 of them are in the tails.
  assert.ok(Number(rowsOf('blocks_1m')) >= 95 * 4 && Number(rowsOf('blocks_1m')) <= 95 * 6);
  assert.ok(Number(rowsOf('tail_1m')) <= 3 * 20);
});

test('the file and those beside it can be read by their owner only, whatever the umask', async t => {
  const path = freshPath();
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const store = await openStore(`sqlite:${path}`);
  t.after(() => store.close());
  const lock = await store.lock('load');
  await store.putAssets([draft('one')]);
  for (const end of ['', '-wal', '-shm', '-writer']) assert.equal(statSync(path + end).mode & 0o777, 0o600, end);
  await lock?.release();
});

test('a use that is counted while another process writes waits without stopping this one', async t => {
  const path = freshPath();
  const store = await openStore(`sqlite:${path}`);
  const writer = new DatabaseSync(path);
  t.after(() => writer.close());
  t.after(() => store.close());
  writer.exec('BEGIN IMMEDIATE');
  const counting = store.addUsage(DAY, [{ keyId: 'key_a', accepted: 1, refused: 0 }]);
  const beating = store.heartbeat('server', 1000);
  assert.equal(await Promise.race([counting, beating, wait(30, 'nothing yet')]), 'nothing yet');
  writer.exec('COMMIT');
  assert.deepEqual(await counting, [{ keyId: 'key_a', accepted: 1, refused: 0 }]);
  assert.equal(await beating, 1);
});

test('a server that was silent for a day is forgotten', async t => {
  const path = freshPath();
  const store = await openStore(`sqlite:${path}`);
  const db = new DatabaseSync(path);
  t.after(() => db.close());
  t.after(() => store.close());
  await store.heartbeat('old', 1000);
  await store.heartbeat('late', 1000);
  // As if the heartbeats were older.
  const table = new CheckedTable<[string, number]>(new Connection(db, path), 'servers');
  for (const [id, age] of [
    ['old', 86_400_000 + 1000],
    ['late', 86_400_000 - 60_000],
  ] as const) {
    table.put([id, Date.now() - age]);
  }
  assert.equal(await store.heartbeat('new', 1000), 1);
  const left = db.prepare('SELECT id FROM servers ORDER BY id').all();
  assert.deepEqual(
    left.map(({ id }) => id),
    ['late', 'new'],
  );
});

const badUrls = ['sqlite:', 'sqlite::memory:', 'sqlite://data/x.db', 'data/x.db', 'mysql://localhost/x', ''];
for (const url of badUrls) {
  test(`the URL "${url}" is refused with the forms that are right`, async () => {
    await assert.rejects(openStore(url), { code: 'bad_url', hint: /sqlite:/ });
  });
}

test('a path that cannot be a file is told as such', async () => {
  mkdirSync(join(folder, 'folder.db'));
  await assert.rejects(openStore(`sqlite:${join(folder, 'folder.db')}`), { code: 'unreachable' });
  writeFileSync(join(folder, 'file'), '');
  await assert.rejects(openStore(`sqlite:${join(folder, 'file/x.db')}`), { code: 'unreachable', message: /folder/ });
});

// The SQLite store: the contract, and what only a file can be.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../../src/store/open.ts';
import { MIGRATIONS } from '../../src/store/sqlite/migrations.ts';
import { batch, DAY, draft } from './fixtures.ts';
import { storeContract } from './store.ts';
import { assertUpgraded, oldContents } from './store-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-sqlite-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const freshPath = () => join(folder, `${++files}.db`);

storeContract('SQLite', async () => `sqlite:${freshPath()}`);

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
  const lock = await store.lockWriter();
  assert.equal(await linked.lockWriter(), null);
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
  await assert.rejects(openStore(`sqlite:${path}`), { code: 'not_a_store', message: /no SQLite database/ });
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

test('a store of layout 1 is brought up to date and keeps its data', async t => {
  const path = freshPath();
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA journal_mode = WAL;
    ${MIGRATIONS[0]?.sql}
    ${oldContents({ table: '', no: '0', bytes: "x'" })}
    PRAGMA application_id = ${0x54696465};
    PRAGMA user_version = 1`);
  db.close();
  const store = await openStore(`sqlite:${path}`);
  t.after(() => store.close());
  await assertUpgraded(store);
});

test('a store of layout 4, whose numbers have no checksums, gets them and keeps its data', async t => {
  const path = freshPath();
  const store = await openStore(`sqlite:${path}`);
  const [key] = await store.putAssets([draft('aaa')]);
  await store.putBars(batch([{ key: key!, day: 0, close: 7 }]));
  await store.publish('x', [
    { rows: [{ key: key!, day: DAY, history: 1, price: 7, values: new Float64Array([1, 2]) }], removed: [] },
  ]);
  const before = { bars: await store.bars(key!, DAY, DAY), rows: await store.currentSince(0) };
  await store.close();
  const db = new DatabaseSync(path);
  db.exec(`
    UPDATE tiles SET numbers = substr(numbers, 1, length(numbers) - 4);
    UPDATE current_teams SET rows = substr(rows, 1, length(rows) - 4);
    DROP TABLE publications; DROP TABLE replaced;
    ALTER TABLE loads RENAME TO runs; ALTER TABLE rejects RENAME COLUMN load TO run;
    ALTER TABLE assets DROP COLUMN tags;
    PRAGMA user_version = 4`);
  db.close();
  const upgraded = await openStore(`sqlite:${path}`);
  t.after(() => upgraded.close());
  await upgraded.checkIntegrity();
  assert.deepEqual({ bars: await upgraded.bars(key!, DAY, DAY), rows: await upgraded.currentSince(0) }, before);
});

for (const [table, value] of [
  ['tiles', 'numbers'],
  ['current_teams', 'rows'],
  ['replaced', 'closes'],
]) {
  test(`a number of ${table} that has changed is found by the check of everything`, async t => {
    const path = freshPath();
    const store = await openStore(`sqlite:${path}`);
    t.after(() => store.close());
    const [key] = await store.putAssets([draft('aaa')]);
    await store.putBars(batch([{ key: key!, day: 0, close: 7 }]));
    const row = { key: key!, day: DAY, history: 1, price: 7, values: new Float64Array([1, 2]) };
    await store.publish('x', [{ rows: [row], removed: [] }]);
    await store.putBars(batch([{ key: key!, day: 0, close: 8 }]));
    await store.checkIntegrity();
    const db = new DatabaseSync(path);
    db.exec(`UPDATE ${table} SET ${value} = CAST(x'01' || substr(${value}, 2) AS BLOB)`);
    db.close();
    await assert.rejects(store.checkIntegrity(), { code: 'corrupt' });
  });
}

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
  db.exec(`UPDATE servers SET beat_at = beat_at - 86400000 - 1000 WHERE id = 'old'`);
  db.exec(`UPDATE servers SET beat_at = beat_at - 86400000 + 60000 WHERE id = 'late'`);
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

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { randomMarket, uniform } from '../../test/support/market.ts';
import { buildSnapshot } from '../snapshot/build/build.ts';
import { NotKept } from '../snapshot/build/kept-snapshot.ts';
import { keepPlace, storeName } from './keep-place.ts';
import { findKept, SnapshotKeeper } from './snapshot-keeper.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-keep-'));
after(() => rmSync(folder, { recursive: true }));

let places = 0;
function freshPlace() {
  return { path: join(folder, `in/${places++}/kept.snapshot`), store: 'abc' };
}

function snapshot(version: number) {
  const { assets, rows, now } = randomMarket(20, uniform(version));
  return buildSnapshot({ version, assets, rows, now });
}

function keeperOf(place: ReturnType<typeof freshPlace>, version: number, confirmedAt: number): SnapshotKeeper {
  const keeper = new SnapshotKeeper(place);
  const facts = { name: null, createdAt: '2026-01-01T00:00:00Z', expires: null, revokedAt: null };
  keeper.takeSnapshot(snapshot(version));
  keeper.takeKeys([{ id: 'key_1', hash: Uint8Array.of(1, 2), tier: 'pro', ...facts }]);
  keeper.confirm(confirmedAt);
  return keeper;
}

async function found(place: ReturnType<typeof freshPlace>) {
  const kept = await findKept(place);
  assert.ok(kept !== null && !(kept instanceof NotKept));
  return { version: kept.snapshot.version, confirmedAt: kept.confirmedAt, keys: kept.keys.map(key => [...key.hash]) };
}

describe('a keeper of snapshots', () => {
  it('writes what the next start finds, readable by its owner only, and nothing else', async () => {
    const place = freshPlace();
    assert.equal(await findKept(place), null);
    await keeperOf(place, 3, 1000).save();
    assert.deepEqual(await found(place), { version: 3, confirmedAt: 1000, keys: [[1, 2]] });
    for (const path of [place.path, `${place.path}.keys`]) assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(join(place.path, '..')), ['kept.snapshot', 'kept.snapshot.keys']);
  });

  it('removes what servers that were killed while they wrote have left, and nothing else', async () => {
    const place = freshPlace();
    const dead = spawnSync(process.execPath, ['--version']).pid;
    const others = [`kept.snapshot.${process.ppid}.partial`, `other.snapshot.${dead}.partial`, 'kept.snapshot.partial'];
    mkdirSync(dirname(place.path), { recursive: true });
    for (const name of [...others, `kept.snapshot.${dead}.partial`])
      writeFileSync(join(dirname(place.path), name), 'x');
    await keeperOf(place, 3, 1000).save();
    assert.deepEqual(
      readdirSync(dirname(place.path)).sort(),
      [...others, 'kept.snapshot', 'kept.snapshot.keys'].sort(),
    );
  });

  it('has the API keys in a file of their own, and writes only that when only they change', async () => {
    const place = freshPlace();
    const keeper = keeperOf(place, 3, 1000);
    await keeper.save();
    assert.ok(!readFileSync(place.path).includes('key_1'));
    const { ino } = statSync(place.path);
    keeper.takeKeys([]);
    keeper.confirm(2000);
    await keeper.save();
    assert.deepEqual(await found(place), { version: 3, confirmedAt: 2000, keys: [] });
    assert.equal(statSync(place.path).ino, ino);
  });

  for (const [what, spoil] of [
    ['missing', (path: string) => rmSync(path)],
    ['damaged', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('pro', 'unlimited'))],
    ['of another store', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('abc', 'abd'))],
  ] as const) {
    it(`cannot be used when the file of API keys is ${what}`, async () => {
      const place = freshPlace();
      await keeperOf(place, 3, 1000).save();
      spoil(`${place.path}.keys`);
      assert.match(String(await findKept(place)), /has no usable .*kept\.snapshot\.keys beside it/);
    });
  }

  it('is written also if a folder and a FIFO have the names of unfinished files, and no keys are read from a FIFO', async () => {
    const place = freshPlace();
    mkdirSync(`${place.path}.999999999.partial`, { recursive: true });
    execFileSync('mkfifo', [`${place.path}.${process.pid}.partial`]);
    await keeperOf(place, 3, 1000).save();
    assert.equal((await found(place)).version, 3);
    rmSync(`${place.path}.keys`);
    execFileSync('mkfifo', [`${place.path}.keys`]);
    assert.match(String(await findKept(place)), /has no usable .*kept\.snapshot\.keys beside it/);
  });

  it('is not read from a FIFO, which would wait for ever, and takes its place', async () => {
    const place = freshPlace();
    mkdirSync(dirname(place.path), { recursive: true });
    execFileSync('mkfifo', [place.path]);
    assert.match(String(await findKept(place)), /is not a file/);
    await keeperOf(place, 3, 1000).save();
    assert.equal((await found(place)).version, 3);
  });

  it('writes nothing before it has both rows and keys', async () => {
    const place = freshPlace();
    const keeper = new SnapshotKeeper(place);
    keeper.takeSnapshot(snapshot(1));
    await keeper.save();
    assert.equal(await findKept(place), null);
  });

  it('without a change renews the time and no other byte', async () => {
    const place = freshPlace();
    const keeper = keeperOf(place, 3, 1000);
    await keeper.save();
    const [before, { ino }] = [readFileSync(place.path), statSync(place.path)];
    keeper.confirm(5000);
    await keeper.save();
    assert.equal((await found(place)).confirmedAt, 5000);
    assert.equal(statSync(place.path).ino, ino);
    const renewed = readFileSync(place.path);
    assert.deepEqual([renewed.subarray(0, 16), renewed.subarray(24)], [before.subarray(0, 16), before.subarray(24)]);
  });

  it('never replaces what another server has written later', async () => {
    const place = freshPlace();
    await keeperOf(place, 9, 2000).save();
    const behind = keeperOf(place, 8, 1500);
    await behind.save();
    await behind.save();
    assert.deepEqual([(await found(place)).version, (await found(place)).confirmedAt], [9, 2000]);
    await keeperOf(place, 10, 2500).save();
    assert.equal((await found(place)).version, 10);
  });

  it('writes anew when the file was taken away, and over one that is none', async () => {
    const place = freshPlace();
    const keeper = keeperOf(place, 3, 1000);
    await keeper.save();
    rmSync(place.path);
    await keeper.save();
    await keeper.save();
    assert.equal((await found(place)).version, 3);
    writeFileSync(place.path, 'something else');
    assert.ok((await findKept(place)) instanceof NotKept);
    keeper.takeSnapshot(snapshot(4));
    await keeper.save();
    assert.equal((await found(place)).version, 4);
  });
});

describe('the place of a kept snapshot', () => {
  it('is beside a SQLite file, in data/ for PostgreSQL, where the setting says, or nowhere', () => {
    assert.equal(keepPlace('sqlite:/var/x/t.db', '')?.path, '/var/x/t.db.snapshot');
    assert.match(keepPlace('postgres://u:p@h:1/d', '')?.path ?? '', /\/data\/[0-9a-f]{12}\.snapshot$/);
    assert.equal(keepPlace('postgres://u:p@h:1/d', '/k')?.path, '/k');
    assert.equal(keepPlace('sqlite:x.db', 'off'), null);
  });

  it('names the store, whatever the password and the options, and every other store otherwise', () => {
    const name = (url: string) => keepPlace(url, '')?.store;
    assert.equal(name('postgres://u:p@h:1/d'), name('postgres://u:other%40@h:1/d?ssl=true'));
    const urls = ['postgres://u@h:1/d', 'postgres://u@h:1/e', 'postgres://u@h:2/d', 'sqlite:a.db', 'sqlite:b.db'];
    assert.equal(new Set(urls.map(name)).size, urls.length);
  });

  it('is of a store that people are told of without its password', () => {
    assert.equal(storeName('postgres://u:p%2F@h:1,i:2/d?password=x'), 'postgres://u@h:1,i:2/d');
    assert.equal(storeName('postgresql://u:a/b@c@h/d'), 'postgresql://u@h/d');
    assert.equal(storeName('sqlite:data/a@b.db'), 'sqlite:data/a@b.db');
  });
});

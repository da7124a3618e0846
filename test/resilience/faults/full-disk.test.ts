// The disk of a SQLite store is full: a file system of a few megabytes in memory, which only root may make.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { trial } from './findings.ts';
import { BARS_PER_FILE, writeBars } from './load-files.ts';
import { assertWhole, contents, run, withStore } from './loading.ts';
import { listingOf, WatchedServer } from './watched-server.ts';

const DISK_BYTES = 8_000_000;
const LEFT_BYTES = 200_000;

const folder = mkdtempSync(join(tmpdir(), 'tidemark-full-'));
const disk = join(folder, 'disk');
mkdirSync(disk);
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tidemark-test', disk]).status === 0;
after(() => {
  if (mounted) spawnSync('umount', ['--lazy', disk]);
  rmSync(folder, { recursive: true });
});

/** Leaves so many bytes of the disk. */
function fillUp(left: number): void {
  rmSync(join(disk, 'filler'), { force: true });
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - left)));
}

describe('a full disk', { skip: mounted ? false : 'a file system can be mounted by root only' }, () => {
  it('ends a load in plain words, loses nothing that was acknowledged, and space makes all well', t =>
    trial(t, { fault: 'disk full', rounds: 1 }, () => fillDisk(t)));

  async function fillDisk(t: TestContext): Promise<string> {
    const small = join(folder, 'small.csv');
    writeFileSync(small, 'symbol,day,close\nK1,2019-06-01,1\nK2,2019-06-01,2\n');
    const [url, elsewhere, files] = [`sqlite:${disk}/store.db`, `sqlite:${folder}/elsewhere.db`, writeBars(folder)];
    for (const [store, file] of [
      [elsewhere, small],
      [elsewhere, files],
      [url, small],
    ] as const) {
      const { code, stderr } = await run('ingest', 'csv', file, '--store', store);
      assert.equal(code, 0, stderr);
    }
    const acknowledged = await withStore(url, listingOf);
    const server = await WatchedServer.start(t, url);
    const keys = await withStore(url, store => store.keys());
    await server.shows(acknowledged);

    fillUp(LEFT_BYTES);
    const failed = await run('ingest', 'csv', files, '--store', url);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /no space is left for .*store\.db\n.*free some space/);
    assert.doesNotMatch(failed.stderr, /\n\s+at |should not happen/);
    fillUp(0);
    const backup = await run('backup', join(disk, 'backup'), '--store', url);
    assert.equal(backup.code, 1);
    assert.match(backup.stderr, /no space is left for .*backup\n/);
    assert.deepEqual(
      readdirSync(disk).filter(name => name.startsWith('backup')),
      [],
    );
    await server.answers(20);

    rmSync(join(disk, 'filler'));
    const { bars } = await withStore(url, store => store.totals());
    // The two bars of before are also in the first file.
    assert.ok(bars === 2 || bars % BARS_PER_FILE === 0, `${bars} bars: batches are stored as a whole or not at all`);
    assert.match((await run('verify', '--store', url)).stdout, /no differences|left out/);
    const repeated = await run('ingest', 'csv', files, '--store', url);
    assert.equal(repeated.code, 0, repeated.stderr);
    assert.deepEqual(await withStore(url, contents), await withStore(elsewhere, contents));
    const complete = await withStore(url, listingOf);
    await server.shows(complete);
    await server.stop(acknowledged, complete);
    await withStore(url, async store => {
      await assertWhole(store);
      assert.deepEqual(await store.keys(), keys);
    });
    return `${server.asked} answers`;
  }
});

// What can happen to the only PostgreSQL of a server while it serves: it hangs, ends connections, runs out of them or of disk space.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { giveToNobody } from '../../support/postgres-cluster.ts';
import { PostgresNode } from '../../support/postgres-nodes.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { trial } from './findings.ts';
import { writeBars } from './load-files.ts';
import { assertWhole, contents, run, withStore } from './loading.ts';
import { type Listing, listingOf, WatchedServer } from './watched-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-troubled-'));
const disk = join(folder, 'disk');
mkdirSync(disk);
const DISK_BYTES = 24_000_000;
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tidemark-test', disk]).status === 0;

describe('a server whose only PostgreSQL is in trouble', () => {
  const files = writeBars(folder);
  let node: PostgresNode;
  before(async () => {
    node = await PostgresNode.primary();
  });
  after(async () => {
    await node.remove();
    if (mounted) spawnSync('umount', ['--lazy', disk]);
    rmSync(folder, { recursive: true });
  });

  async function database(name: string, options = ''): Promise<string> {
    await node.query(`CREATE DATABASE ${name} ${options}`);
    return node.url.replace(/[^/]*$/, name);
  }

  async function loaded(name: string): Promise<{ url: string; listing: Listing }> {
    const url = await database(name);
    const { code, stderr } = await run('ingest', 'csv', files, '--store', url);
    assert.equal(code, 0, stderr);
    return { url, listing: await withStore(url, listingOf) };
  }

  /** The status of a history that is not cached. */
  let asked = 0;
  async function history(server: WatchedServer): Promise<number> {
    asked++;
    return (await server.get(`/v1/crypto/bars?symbol=K${asked % 20}&limit=${asked}`)).status;
  }

  async function serves(server: WatchedServer): Promise<void> {
    for (const giveUp = performance.now() + 30_000; (await history(server)) !== 200; await wait(50)) {
      assert.ok(performance.now() < giveUp, server.stderr);
    }
  }

  it('goes on while it hangs, refuses histories in time, and recovers by itself', t =>
    trial(t, { fault: 'the only PostgreSQL hangs', rounds: 1 }, async () => {
      const { url, listing } = await loaded('hangs');
      const server = await WatchedServer.start(t, url, '--workers', '2');
      await serves(server);
      const other = await ServerProcess.start('--open', '--store', url, '--workers', '1');
      node.freeze();
      try {
        const began = performance.now();
        const statuses = await Promise.all(Array.from({ length: 20 }, () => history(server)));
        // One of them may be cached.
        const refused = statuses.filter(status => status === 503).length;
        assert.ok(refused >= 19, statuses.join());
        assert.ok(performance.now() - began < 25_000, 'before a client gives up');
        await server.answers(20);
        const stopping = performance.now();
        assert.equal(await other.stop(), 0);
        assert.ok(performance.now() - stopping < 20_000, 'a server stops although it cannot write its last counts');
      } finally {
        node.thaw();
      }
      await serves(server);
      await server.stop(listing);
      return `${server.asked} answers`;
    }));

  it('loses nothing when connections are ended again and again', t =>
    trial(t, { fault: 'PostgreSQL ends all connections of a server', rounds: 10 }, async () => {
      const { url, listing } = await loaded('ended');
      const server = await WatchedServer.start(t, url, '--workers', '2');
      await serves(server);
      for (let round = 0; round < 10; round++) {
        await node.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tidemark'`);
        await Promise.all(Array.from({ length: 4 }, () => history(server)));
        await wait(100);
      }
      await serves(server);
      const { stdout } = await run('keys', 'create', '--tier', 'free', '--json', '--store', url);
      const key = JSON.parse(stdout).key;
      const listingWithKey = () => fetch(`${server.url}/v1/crypto/ta-cur?limit=1`, { headers: { 'X-API-Key': key } });
      for (const giveUp = performance.now() + 20_000; (await listingWithKey()).status !== 200; await wait(50)) {
        assert.ok(performance.now() < giveUp, 'a new API key is known');
      }
      await server.stop(listing);
      return `${server.asked} answers`;
    }));

  it('serves with the few connections that its role may have', t =>
    trial(t, { fault: 'the role of a server is at its limit of connections', rounds: 1 }, async () => {
      const { url, listing } = await loaded('limited');
      const server = await WatchedServer.start(t, asLimited(url), '--workers', '2');
      await serves(server);
      const statuses = await Promise.all(Array.from({ length: 60 }, () => history(server)));
      assert.ok(statuses.filter(status => status === 200).length > 0, statuses.join());
      await server.answers(20);
      await node.query('ALTER ROLE limited CONNECTION LIMIT -1');
      await serves(server);
      await server.stop(listing);
      return `${statuses.filter(status => status === 200).length} of 60 histories, ${server.asked} answers`;
    }));

  /** A superuser is not limited. */
  function asLimited(url: string): string {
    return Object.assign(new URL(url), { username: 'limited', password: 'limited' }).href;
  }
  before(async () => {
    await node.query(`CREATE ROLE limited LOGIN PASSWORD 'limited' CONNECTION LIMIT 5`);
    await node.query('GRANT pg_read_all_data, pg_write_all_data TO limited');
  });

  it(
    'goes on when the disk of PostgreSQL is full',
    { skip: !mounted && 'a file system can be mounted by root only' },
    t => trial(t, { fault: 'the disk of PostgreSQL is full', rounds: 1 }, () => fillDisk(t)),
  );

  async function fillDisk(t: TestContext): Promise<string> {
    mkdirSync(join(disk, 'space'));
    giveToNobody(folder);
    await node.query(`CREATE TABLESPACE small LOCATION '${join(disk, 'space')}'`);
    const small = join(folder, 'small.csv');
    writeFileSync(small, 'symbol,day,close\nK1,2019-06-01,1\nK2,2019-06-01,2\n');
    const url = await database('full_disk', 'TABLESPACE small');
    assert.equal((await run('ingest', 'csv', small, '--store', url)).code, 0);
    const before = await withStore(url, listingOf);
    const server = await WatchedServer.start(t, url);
    await server.shows(before);
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - 100_000)));
    const failed = await run('ingest', 'csv', files, '--store', url);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /no space is left for .*\nfree some space/);
    assert.doesNotMatch(failed.stderr, /\n\s+at |should not happen/);
    await server.answers(20);
    assert.equal(await history(server).then(status => status < 500 || status === 503), true);

    rmSync(join(disk, 'filler'));
    const repeated = await run('ingest', 'csv', files, '--store', url);
    assert.equal(repeated.code, 0, repeated.stderr);
    const complete = await withStore(url, listingOf);
    await server.shows(complete);
    await server.stop(before, complete);
    await withStore(url, async store => {
      await assertWhole(store);
      assert.ok(Object.keys(await contents(store)).length > 20);
    });
    return `${server.asked} answers`;
  }
});

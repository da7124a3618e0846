// PostgreSQL servers, a primary and hot standbys: the primary is lost, and a standby takes its place.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { FIRST_DAY, LAST_DAY } from '../../../src/domain/day.ts';
import { PostgresNode, urlOf } from '../../support/postgres-nodes.ts';
import { trial } from './findings.ts';
import { assertWhole, contents, rounds, run, withStore } from './loading.ts';
import { WatchedServer } from './watched-server.ts';

const ROUNDS = rounds(1, 0.1);
const TIMEOUT_MS = 20_000;
const STAY_MS = 3000;

describe('a server whose primary is lost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-standby-'));
  const files = {
    first: join(folder, 'first.csv'),
    second: join(folder, 'second.csv'),
    profiles: join(folder, 'p.json'),
  };
  writeFileSync(files.first, 'symbol,day,close\nAAA,2024-01-01,1\nAAA,2024-01-02,2\nBBB,2024-01-02,5\n');
  writeFileSync(files.second, 'symbol,day,close\nAAA,2024-01-03,3\nBBB,2024-01-03,6\nCCC,2024-01-03,9\n');
  writeFileSync(files.profiles, '[{"id":"aaa-first","symbol":"AAA","name":"First"}]');
  const FIRST = ['AAA 2024-01-02 2', 'BBB 2024-01-02 5'];
  const BOTH = ['AAA 2024-01-03 3', 'BBB 2024-01-03 6', 'CCC 2024-01-03 9'];
  after(() => rmSync(folder, { recursive: true }));

  it(`goes on from the standby, and loads go on when that is promoted (${ROUNDS} times)`, async t => {
    await trial(t, { fault: 'primary of PostgreSQL lost, standby promoted', rounds: ROUNDS }, async () => {
      let answers = 0;
      for (let round = 0; round < ROUNDS; round++) {
        answers += await withPair((primary, standby) => losePrimary(t, primary, standby));
      }
      return `${answers} answers`;
    });
  });

  it('goes on also when the primary only hangs', t =>
    trial(t, { fault: 'primary of PostgreSQL hangs, standby promoted', rounds: 1 }, () =>
      withPair(async (primary, standby) => {
        const store = urlOf([primary, standby]);
        assert.equal((await run('ingest', 'csv', files.first, '--store', store)).code, 0);
        // Hardly asks by itself: it must hear of the load from the new primary.
        const server = await WatchedServer.start(t, store, '--poll', '60000');
        const keys = await withStore(store, each => each.keys());
        await server.shows(FIRST);
        primary.freeze();
        try {
          await standby.promote();
          const loaded = await run('ingest', 'csv', files.second, '--store', store);
          assert.equal(loaded.code, 0, loaded.stderr);
          await server.shows(BOTH);
          await server.stop(FIRST, BOTH);
          await withStore(store, async each => {
            await assertWhole(each);
            assert.deepEqual(await each.keys(), keys);
          });
          return `${server.asked} answers`;
        } finally {
          primary.thaw();
        }
      }),
    ));

  it('does not go back in time with a standby that is behind, and takes the one that is furthest', t =>
    trial(t, { fault: 'primary of PostgreSQL lost, standby behind', rounds: 1 }, () =>
      withPair(async (primary, standby) => {
        const ahead = await primary.withStandby();
        const store = urlOf([primary, standby]);
        assert.equal((await run('ingest', 'csv', files.first, '--store', store)).code, 0);
        const created = JSON.parse(
          (await run('keys', 'create', '--tier', 'unlimited', '--json', '--store', store)).stdout,
        );
        const server = await WatchedServer.start(t, store);
        await server.shows(FIRST);
        const statusOfRevoked = async () => {
          const answer = await fetch(`${server.url}/v1/crypto/ta-cur`, { headers: { 'X-API-Key': created.key } });
          await answer.arrayBuffer();
          return answer.status;
        };
        assert.equal(await statusOfRevoked(), 200);

        await primary.leaveBehind(standby);
        assert.equal((await run('ingest', 'csv', files.second, '--store', store)).code, 0);
        assert.equal((await run('keys', 'revoke', created.id, '--store', store)).code, 0);
        await server.shows(BOTH);
        await until(async () => (await statusOfRevoked()) === 401, 'the key is revoked');
        const versionOn = (...nodes: PostgresNode[]) => withStore(urlOf(nodes), each => each.version());
        const newest = await versionOn(primary);
        await until(async () => (await versionOn(ahead)) === newest, 'the other standby has caught up');
        await primary.kill();
        assert.notEqual(await versionOn(standby), newest);
        assert.equal(await versionOn(standby, primary, ahead), newest);
        await until(() => /is unreachable for data/.test(server.stderr), 'the store is lost');
        for (let i = 0; i < 100; i++) {
          assert.deepEqual(await server.listing(), BOTH);
          if (i % 20 === 0) assert.equal(await statusOfRevoked(), 401);
          await wait(20);
        }
        // A server that starts now takes what there is.
        const late = await WatchedServer.startWith(t, server.key, store);
        await late.shows(FIRST);

        await standby.catchUp();
        await late.shows(BOTH);
        await until(() => /is reachable for data again/.test(server.stderr), 'the store is back');
        await standby.promote();
        await server.shows(BOTH);
        await server.stop(FIRST, BOTH);
        await late.stop(FIRST, BOTH);
        await withStore(store, each => assertWhole(each));
        return `${server.asked} answers`;
      }),
    ));

  async function until(done: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const giveUp = performance.now() + TIMEOUT_MS;
    while (!(await done())) {
      assert.ok(performance.now() < giveUp, what);
      await wait(50);
    }
  }

  async function withPair<T>(work: (primary: PostgresNode, standby: PostgresNode) => Promise<T>): Promise<T> {
    const primary = await PostgresNode.primary();
    const standby = await primary.withStandby();
    try {
      return await work(primary, standby);
    } finally {
      await primary.remove();
    }
  }

  /** Until the server has found out who is left, it says that it cannot tell. */
  async function profileFromStandby(server: WatchedServer): Promise<void> {
    const giveUp = performance.now() + TIMEOUT_MS;
    for (;;) {
      const { status } = await server.get('/v1/crypto/assets/aaa-first');
      if (status === 200) return;
      assert.equal(status, 503);
      assert.ok(performance.now() < giveUp, 'profiles come from the standby');
      await wait(50);
    }
  }

  /** That nothing can be written is logged once, and does not affect readers. */
  async function staysWithStandby(server: WatchedServer): Promise<void> {
    const said = (): string[] => server.stderr.match(/is unreachable for [\w ]+/g) ?? [];
    const reads = async () => JSON.parse(await (await server.get('/readyz')).text()).store === 'current';
    await until(() => said().includes('is unreachable for counting requests'), 'it is said that nothing is counted');
    await until(reads, 'the data comes from the standby');
    const end = performance.now() + STAY_MS;
    while (performance.now() < end) {
      assert.ok(await reads(), server.stderr);
      assert.equal((await server.get('/v1/crypto/assets/aaa-first')).status, 200, server.stderr);
      await wait(20);
    }
    assert.deepEqual(said(), [...new Set(said())], server.stderr);
  }

  async function losePrimary(t: TestContext, primary: PostgresNode, standby: PostgresNode): Promise<number> {
    // The standby first: that the other one is the primary must be found out.
    const store = urlOf([standby, primary]);
    for (const args of [
      ['csv', files.first],
      ['profiles', files.profiles],
    ]) {
      const { code, stderr } = await run('ingest', ...args, '--store', store);
      assert.equal(code, 0, stderr);
    }
    const acknowledged = await withStore(store, contents);
    const server = await WatchedServer.start(t, store);
    const keys = await withStore(store, each => each.keys());
    await server.shows(FIRST);

    await primary.kill();
    await server.answers(50);
    await profileFromStandby(server);
    await staysWithStandby(server);
    const refused = await run('ingest', 'csv', files.second, '--store', store);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /has no primary that can be written \(.*is a standby.*\)\n.*promote a standby/);
    assert.doesNotMatch(refused.stderr, /\n\s+at |should not happen|p@ss|p%40ss/);
    const late = await WatchedServer.startWith(t, server.key, store);
    await late.shows(FIRST);
    assert.match(server.stderr, /no primary/);

    await standby.promote();
    assert.deepEqual(await withStore(store, contents), acknowledged);
    const loaded = await run('ingest', 'csv', files.second, '--store', store);
    assert.equal(loaded.code, 0, loaded.stderr);
    await server.shows(BOTH);
    await late.shows(BOTH);
    await server.stop(FIRST, BOTH);
    await late.stop(FIRST, BOTH);
    await withStore(store, async each => {
      await assertWhole(each);
      assert.deepEqual(await each.keys(), keys);
    });
    // Counted while there was no primary, written when there was one again.
    const used = await withStore(store, each => each.usage(FIRST_DAY, LAST_DAY));
    const accepted = used.reduce((sum, use) => sum + use.accepted, 0);
    assert.ok(accepted >= server.asked + late.asked, `${accepted} of ${server.asked + late.asked} are counted`);
    return server.asked + late.asked;
  }
});

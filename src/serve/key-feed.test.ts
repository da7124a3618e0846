import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { KeyRing, type RingKey } from '../access/key-ring.ts';
import { SharedLimits } from '../access/shared-limits.ts';
import { hashOf, hashTextOf, newApiKey } from '../domain/api-key.ts';
import type { Day } from '../domain/day.ts';
import { resolveTiers } from '../domain/tiers.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { KeyFeed } from './key-feed.ts';

const TIERS = resolveTiers('small: rate=1000 burst=1000 quota=10');
const DAY = 20_500 as Day;

describe('the key feed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-key-feed-'));
  let files = 0;
  let store: Store;
  let clock: { now: number };
  const key = newApiKey();

  beforeEach(async () => {
    store = await openStore(`sqlite:${join(folder, `${files++}.db`)}`);
    clock = { now: DAY * 86_400_000 + 1000 };
    await store.createKey({ id: 'key_a', hash: hashOf(key), tier: 'small', name: null, expires: null });
  });
  after(() => rmSync(folder, { recursive: true }));

  /** A server on the store, as far as keys are concerned. */
  async function server() {
    const [ring, limits] = [new KeyRing(), new SharedLimits()];
    const onKeys = (keys: readonly RingKey[]) => ring.replace(keys);
    const feed = new KeyFeed({ store, limits, tiers: TIERS, onKeys, now: () => clock.now });
    await feed.refresh();
    const ask = (count: number): number => {
      const found = ring.find(hashTextOf(key)) ?? assert.fail('the key is not known');
      const day = Math.floor(clock.now / 86_400_000);
      const taken = Array.from({ length: count }, () => limits.take(found.slot, found.tier, 0n, day, 1000));
      return taken.filter(verdict => verdict.accepted).length;
    };
    return { feed, ring, limits, ask };
  }

  const counted = async (day: Day = DAY) =>
    (await store.usage(day, day)).map(({ accepted, refused }) => ({ accepted, refused }));

  it('takes over keys that are made and revoked', async () => {
    const { feed, ring } = await server();
    const later = newApiKey();
    await store.createKey({ id: 'key_b', hash: hashOf(later), tier: 'small', name: null, expires: null });
    assert.equal(ring.find(hashTextOf(later)), null);
    await feed.refresh();
    assert.equal(ring.find(hashTextOf(later))?.id, 'key_b');
    await store.revokeKey('key_b');
    await feed.refresh();
    assert.equal(ring.find(hashTextOf(later))?.revoked, true);
  });

  it('writes down what was used, once', async () => {
    const { feed, ask } = await server();
    assert.equal(ask(12), 10);
    await feed.flush();
    await feed.flush();
    assert.deepEqual(await counted(), [{ accepted: 10, refused: 2 }]);
  });

  it('goes on with the quota after a restart', async () => {
    const before = await server();
    before.ask(7);
    await before.feed.flush();
    const restarted = await server();
    assert.equal(restarted.ask(10), 3);
    await restarted.feed.flush();
    assert.deepEqual(await counted(), [{ accepted: 10, refused: 7 }]);
  });

  it('begins a new day with a whole quota, and still writes what yesterday left', async () => {
    const { feed, ask } = await server();
    ask(4);
    clock.now += 86_400_000;
    await feed.flush();
    assert.deepEqual(await counted(), [{ accepted: 4, refused: 0 }]);
    assert.equal(ask(20), 10);
    await feed.flush();
    assert.deepEqual(await counted((DAY + 1) as Day), [{ accepted: 10, refused: 10 }]);
    assert.deepEqual(await counted(), [{ accepted: 4, refused: 0 }]);
  });

  it('of several servers learns what the others gave out, and how many they are', async () => {
    const [one, two] = [await server(), await server()];
    await one.feed.flush();
    await two.feed.flush();
    await one.feed.flush();
    assert.deepEqual([one.feed.servers, two.feed.servers], [2, 2]);
    assert.equal(one.ask(6), 6);
    await one.feed.flush();
    await two.feed.flush();
    assert.equal(two.ask(10), 4);
    await two.feed.flush();
    await one.feed.flush();
    assert.equal(one.ask(10), 0);
    await one.feed.flush();
    assert.deepEqual(await counted(), [{ accepted: 10, refused: 16 }]);
  });

  it('keeps its counts when the store fails, and writes them later', async () => {
    const { feed, ask } = await server();
    ask(3);
    const addUsage = store.addUsage;
    store.addUsage = () => Promise.reject(new Error('busy'));
    await assert.rejects(feed.flush(), /busy/);
    store.addUsage = addUsage;
    await feed.flush();
    assert.deepEqual(await counted(), [{ accepted: 3, refused: 0 }]);
  });

  for (const days of [1, 400, -10]) {
    it(`counts every request and gives no quota twice when the clock jumps ${days} days and back`, async () => {
      const { feed, ask } = await server();
      assert.equal(ask(20), 10);
      await feed.flush();
      clock.now += days * 86_400_000;
      const other = (DAY + days) as Day;
      assert.equal(ask(4), 4);
      clock.now -= days * 86_400_000;
      assert.equal(ask(3), 0);
      clock.now += days * 86_400_000;
      assert.equal(ask(3), 3);
      await feed.flush();
      clock.now -= days * 86_400_000;
      assert.equal(ask(1), 0);
      await feed.flush();
      assert.deepEqual(await counted(), [{ accepted: 10, refused: 14 }]);
      assert.deepEqual(await counted(other), [{ accepted: 7, refused: 0 }]);
    });
  }

  it('counts the last requests before midnight and the first ones after it', async () => {
    const { feed, ask } = await server();
    ask(4);
    clock.now += 86_400_000;
    ask(5);
    await feed.flush();
    await feed.flush();
    assert.deepEqual(await counted(), [{ accepted: 4, refused: 0 }]);
    assert.deepEqual(await counted((DAY + 1) as Day), [{ accepted: 5, refused: 0 }]);
  });

  it('remembers after a restart what was used on a day that the clock goes back to', async () => {
    const before = await server();
    before.ask(10);
    await before.feed.flush();
    clock.now += 86_400_000;
    const restarted = await server();
    await restarted.feed.flush();
    clock.now -= 86_400_000;
    await restarted.feed.flush();
    assert.equal(restarted.ask(1), 0);
  });
});

// The store's contract: API keys, how often they were used, and the running servers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { hashOf } from '../../src/domain/api-key.ts';
import { dayFromIso, FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import type { KeyUse, NewKey, Store } from '../../src/store/store.ts';
import { startChild, wordOf } from './fixtures.ts';
import type { Subject } from './store.ts';

const [MONDAY, TUESDAY, WEDNESDAY] = [dayFromIso('2025-06-16')!, dayFromIso('2025-06-17')!, dayFromIso('2025-06-18')!];

/** Its hash is of the id, unless told otherwise. */
function key(id: string, facts: Partial<NewKey> = {}): NewKey {
  return { id, hash: new Uint8Array(hashOf(id)), tier: 'free', name: null, expires: null, ...facts };
}

function use(keyId: string, accepted: number, refused: number): KeyUse {
  return { keyId, accepted, refused };
}

async function idsOf(store: Store): Promise<string[]> {
  return (await store.keys()).map(({ id }) => id);
}

export function keyContract(subject: () => Subject, freshUrl: () => Promise<string>): void {
  test('a key comes back as it was created, without its text', async () => {
    const store = await subject().fresh();
    const began = Date.now();
    const created = key('key_a', { tier: 'pro', name: 'Éva’s "notebook" \u{1F600}', expires: TUESDAY });
    await store.createKey(created);
    const [found] = await store.keys();
    assert.deepEqual(found, { ...created, createdAt: found!.createdAt, revokedAt: null });
    assert.match(found!.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Date.parse(found!.createdAt) >= began && Date.parse(found!.createdAt) <= Date.now());
  });

  test('a name may hold any text', async () => {
    const store = await subject().fresh();
    await store.createKey(key('key_a', { name: 'a\0b' }));
    assert.equal((await store.keys())[0]?.name, 'a\uFFFDb');
  });

  test('keys are listed oldest first, revoked and expired ones too', async () => {
    const store = await subject().fresh();
    for (const id of ['key_c', 'key_a', 'key_b']) await store.createKey(key(id, { expires: FIRST_DAY }));
    await store.revokeKey('key_a');
    assert.deepEqual(await idsOf(store), ['key_c', 'key_a', 'key_b']);
  });

  for (const [what, second] of [
    ['id', key('key_a', { hash: new Uint8Array(hashOf('other')) })],
    ['hash', key('key_b', { hash: new Uint8Array(hashOf('key_a')) })],
  ] as const) {
    test(`a key whose ${what} is taken is refused, also by a revoked key, and changes nothing`, async () => {
      const store = await subject().fresh();
      await store.createKey(key('key_a'));
      const version = await store.keysVersion();
      await assert.rejects(store.createKey(second), { code: 'key_taken' });
      assert.deepEqual(await idsOf(store), ['key_a']);
      assert.equal(await store.keysVersion(), version);
      await store.revokeKey('key_a');
      await assert.rejects(store.createKey(second), { code: 'key_taken' });
    });
  }

  test('a key is revoked once, and stays so from that moment', async () => {
    const store = await subject().fresh();
    await store.createKey(key('key_a'));
    await store.createKey(key('key_b'));
    const began = Date.now();
    assert.equal(await store.revokeKey('key_a'), true);
    const [revoked, other] = await store.keys();
    assert.ok(Date.parse(revoked!.revokedAt ?? '') >= began && Date.parse(revoked!.revokedAt ?? '') <= Date.now());
    assert.equal(other!.revokedAt, null);
    assert.equal(await store.revokeKey('key_a'), false);
    assert.deepEqual(await store.keys(), [revoked, other]);
  });

  test('what is no key cannot be revoked', async () => {
    const store = await subject().fresh();
    assert.equal(await store.revokeKey('key_none'), false);
    assert.equal(await store.keysVersion(), 0);
  });

  test('the version of the keys rises with each key created or revoked, for other handles too, and only then', async () => {
    const url = await freshUrl();
    const [one, two] = [await subject().open(url), await subject().open(url)];
    assert.equal(await one.keysVersion(), 0);
    await one.createKey(key('key_a'));
    const created = await two.keysVersion();
    assert.ok(created > 0);
    await two.revokeKey('key_a');
    const revoked = await one.keysVersion();
    assert.ok(revoked > created);
    await one.revokeKey('key_a');
    await one.addUsage(MONDAY, [use('key_a', 1, 0)]);
    await one.heartbeat('server', 1000);
    assert.equal(await two.keysVersion(), revoked);
    assert.equal(await one.version(), 0);
  });

  test('uses add up, by key and day, and the day’s totals come back', async () => {
    const store = await subject().fresh();
    assert.deepEqual(await store.addUsage(MONDAY, [use('key_b', 1, 0), use('key_a', 2, 3)]), [
      use('key_b', 1, 0),
      use('key_a', 2, 3),
    ]);
    assert.deepEqual(await store.addUsage(TUESDAY, [use('key_a', 10, 0)]), [use('key_a', 10, 0)]);
    assert.deepEqual(await store.addUsage(MONDAY, [use('key_a', 5_000_000_000, 1)]), [use('key_a', 5_000_000_002, 4)]);
    assert.deepEqual(await store.usage(MONDAY, TUESDAY), [
      { ...use('key_a', 5_000_000_002, 4), day: MONDAY },
      { ...use('key_b', 1, 0), day: MONDAY },
      { ...use('key_a', 10, 0), day: TUESDAY },
    ]);
  });

  test('one key named twice is added twice and told once', async () => {
    const store = await subject().fresh();
    const uses = [use('key_a', 1, 0), use('key_b', 0, 1), use('key_a', 2, 5)];
    assert.deepEqual(await store.addUsage(MONDAY, uses), [use('key_a', 3, 5), use('key_b', 0, 1)]);
  });

  test('to add nothing only asks', async () => {
    const store = await subject().fresh();
    await store.addUsage(MONDAY, [use('key_a', 1, 2)]);
    const asked = [use('key_none', 0, 0), use('key_a', 0, 0)];
    assert.deepEqual(await store.addUsage(MONDAY, asked), [use('key_none', 0, 0), use('key_a', 1, 2)]);
    const mixed = [use('key_a', 0, 0), use('key_b', 1, 0)];
    assert.deepEqual(await store.addUsage(MONDAY, mixed), [use('key_a', 1, 2), use('key_b', 1, 0)]);
    assert.deepEqual(await store.addUsage(MONDAY, []), []);
    assert.deepEqual(
      (await store.usage(FIRST_DAY, LAST_DAY)).map(({ keyId }) => keyId),
      ['key_a', 'key_b'],
    );
  });

  test('usage is of the days asked for, both ends included', async () => {
    const store = await subject().fresh();
    for (const day of [WEDNESDAY, MONDAY, TUESDAY]) await store.addUsage(day, [use('key_a', 1, 0)]);
    const days = async (from = MONDAY, to = MONDAY) => (await store.usage(from, to)).map(({ day }) => day);
    assert.deepEqual(await days(FIRST_DAY, LAST_DAY), [MONDAY, TUESDAY, WEDNESDAY]);
    assert.deepEqual(await days(MONDAY, TUESDAY), [MONDAY, TUESDAY]);
    assert.deepEqual(await days(TUESDAY, TUESDAY), [TUESDAY]);
    assert.deepEqual(await days(WEDNESDAY, MONDAY), []);
  });

  test('the last use of a key is the newest day with a count', async () => {
    const store = await subject().fresh();
    for (const id of ['key_a', 'key_b', 'key_unused']) await store.createKey(key(id));
    await store.addUsage(TUESDAY, [use('key_a', 1, 0), use('key_b', 0, 1)]);
    await store.addUsage(MONDAY, [use('key_a', 1, 0)]);
    await store.addUsage(WEDNESDAY, [use('key_a', 0, 0)]);
    await store.addUsage(WEDNESDAY, [use('key_b', 1, 0)]);
    assert.deepEqual(
      await store.lastUses(),
      new Map([
        ['key_a', TUESDAY],
        ['key_b', WEDNESDAY],
      ]),
    );
  });

  test('uses that two handles add at the same time are all counted, in whatever order they name the keys', async () => {
    const url = await freshUrl();
    const handles = [await subject().open(url), await subject().open(url)];
    const ids = Array.from({ length: 20 }, (_, i) => `key_${i}`);
    const rounds = 50;
    const totals = await Promise.all(
      handles.map(async (store, handle) => {
        const uses = (handle === 0 ? ids : ids.toReversed()).map(id => use(id, 1, 2));
        let seen = 0;
        for (let round = 0; round < rounds; round++) {
          const [first] = await store.addUsage(MONDAY, uses);
          assert.ok(first!.accepted > seen, 'totals only rise');
          seen = first!.accepted;
        }
        return store.addUsage(MONDAY, [use(ids[0]!, 0, 0)]);
      }),
    );
    assert.ok(totals.flat().some(({ accepted }) => accepted === 2 * rounds));
    const counted = await handles[0]!.usage(MONDAY, MONDAY);
    assert.equal(counted.length, ids.length);
    for (const { accepted, refused } of counted) assert.deepEqual([accepted, refused], [2 * rounds, 4 * rounds]);
  });

  test('uses and keys of several processes at once are all there', async t => {
    const url = await freshUrl();
    const store = await subject().open(url);
    const children = ['0', '1'].map(number => startChild(t, url, 'use', number));
    assert.deepEqual(await Promise.all(children.map(wordOf)), ['used', 'used']);
    assert.deepEqual(await store.usage(FIRST_DAY, LAST_DAY), [{ ...use('key_shared', 200, 0), day: FIRST_DAY }]);
    assert.equal((await store.keys()).length, 20);
  });

  test('a server counts itself and the others that have beaten lately', async () => {
    const url = await freshUrl();
    const [one, two] = [await subject().open(url), await subject().open(url)];
    assert.equal(await one.heartbeat('one', 60_000), 1);
    assert.equal(await one.heartbeat('one', 60_000), 1);
    assert.equal(await two.heartbeat('two', 60_000), 2);
    await two.unregister('two');
    assert.equal(await one.heartbeat('one', 60_000), 1, 'an unregistered server does not count');
    assert.equal(await two.heartbeat('two', 60_000), 2);
    assert.equal(await one.heartbeat('one', 60_000), 2);
    await wait(20);
    assert.equal(await two.heartbeat('two', 10), 1);
    assert.equal(await two.heartbeat('two', 0), 1);
    assert.equal(await two.heartbeat('two', 60_000), 2);
    await two.unregister('two');
    assert.equal(await one.heartbeat('one', 60_000), 1, 'an unregistered server does not count');
    assert.equal(await two.heartbeat('two', 60_000), 2);
  });
}

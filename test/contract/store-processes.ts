// The store's contract: several handles and processes on one store.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import type { Store, StoreLock } from '../../src/store/store.ts';
import { batch, draft, ended, row, startChild, wordOf } from './fixtures.ts';
import type { Subject } from './store.ts';

/** The lock, released with the test at the latest; the test fails without it. */
async function lockOf(t: TestContext, store: Store): Promise<StoreLock> {
  const lock = await store.lock('load');
  assert.ok(lock, 'another process has the lock');
  t.after(() => lock.release());
  return lock;
}

export function processContract(use: () => Subject, freshUrl: () => Promise<string>): void {
  test('each lock is for one purpose, and keeps none of the others', async t => {
    const url = await freshUrl();
    const [one, two] = [await use().open(url), await use().open(url)];
    for (const purpose of ['load', 'alerts', 'live'] as const) {
      const lock = await one.lock(purpose);
      assert.ok(lock, purpose);
      t.after(() => lock.release());
      assert.equal(await two.lock(purpose), null, purpose);
    }
  });

  test('two handles on one store see what the other writes, at once', async () => {
    const url = await freshUrl();
    const [one, two] = [await use().open(url), await use().open(url)];
    const [assetNumber] = await one.putAssets([draft('shared')]);
    assert.deepEqual(await two.putAssets([draft('shared')]), [assetNumber]);
    await two.putBars(batch([{ assetNumber: assetNumber!, day: 0, close: 5 }]));
    assert.deepEqual([...(await one.bars(assetNumber!, FIRST_DAY, LAST_DAY)).close], [5]);
    assert.equal(await one.publish('x', [{ rows: [row(assetNumber!, 5)], removed: [] }]), await two.version());
    assert.deepEqual((await two.currentSince(0)).rows, [row(assetNumber!, 5)]);
    assert.deepEqual(await two.pending(), []);
  });

  test('what two processes write at the same time is all there', async t => {
    const url = await freshUrl();
    const store = await use().open(url);
    const [assetNumber] = await store.putAssets([draft('busy')]);
    const writers = ['0', '1'].map(first => startChild(t, url, 'write', first));
    assert.deepEqual(await Promise.all(writers.map(wordOf)), ['written', 'written']);
    const closes = Array.from({ length: 300 }, (_, day) => day + 1);
    assert.deepEqual([...(await store.bars(assetNumber!, FIRST_DAY, LAST_DAY)).close], closes);
    assert.equal((await store.totals()).bars, 300);
  });

  test('a store that is closed and opened again has everything', async () => {
    const url = await freshUrl();
    const first = await use().open(url);
    const [assetNumber] = await first.putAssets([draft('kept')]);
    await first.putBars(batch([{ assetNumber: assetNumber!, day: 0, close: 5 }]));
    const totals = await first.totals();
    await first.close();
    const second = await use().open(url);
    assert.deepEqual({ ...(await second.totals()), bytes: 0 }, { ...totals, bytes: 0 });
    assert.ok(totals.bytes > 0);
  });

  test('the writer’s lock is had by one at a time, and again after its release', async t => {
    const { store, url, open } = use();
    const other = await open(url);
    const lock = await lockOf(t, store);
    assert.equal(await store.lock('load'), null);
    assert.equal(await other.lock('load'), null);
    assert.equal(lock.lost.aborted, false);
    await lock.release();
    await lock.release();
    assert.equal(lock.lost.aborted, false);
    await lockOf(t, other);
  });

  test('the lock holds against other processes, and only against those that ask for it', async t => {
    const { store, url } = use();
    const holder = startChild(t, url, 'lock');
    assert.equal(await wordOf(holder), 'locked');
    assert.equal(await store.lock('load'), null);
    assert.equal(await wordOf(startChild(t, url, 'lock')), 'refused');
    await store.putAssets([draft('while-locked')]);
    holder.stdin.end();
    await ended(holder);
    await lockOf(t, store);
  });

  test('the lock is free again when its holder is killed', async t => {
    const { store, url } = use();
    const holder = startChild(t, url, 'lock');
    assert.equal(await wordOf(holder), 'locked');
    holder.kill('SIGKILL');
    await ended(holder);
    let lock = await store.lock('load');
    // A server across a connection hears of the death a moment later.
    for (let tries = 0; !lock && tries < 200; tries++) {
      await wait(10);
      lock = await store.lock('load');
    }
    assert.ok(lock);
    await lock.release();
  });

  test('who watches a store is called when another process publishes, makes a key or an alert, until it stops', async t => {
    const url = await freshUrl();
    const store = await use().open(url);
    let calls = 0;
    const stop = store.watch(() => calls++);
    t.after(stop);
    /** Has a process change something. Asks for it only after a call: without one the test does not end. */
    const told = async (change: () => Promise<void>, isDone: () => Promise<boolean>) => {
      let seen = calls;
      await change();
      for (let done = false; !done; done = await isDone()) {
        while (calls === seen) await wait(5);
        seen = calls;
      }
    };
    const child = (task: string, word: string) => async () =>
      assert.equal(await wordOf(startChild(t, url, task)), word);
    await told(child('publish', 'published'), async () => (await store.version()) > 0);
    await told(child('use', 'used'), async () => (await store.keys()).length === 10);
    const other = await use().open(url);
    const target = { url: 'https://hooks.example.com/', secret: 'whsec_AAAA' };
    const alert = { id: 'alert_a', name: 'a', query: 'price=1:', on: 'both', format: 'json', target } as const;
    await told(
      () => other.createAlert(alert),
      async () => (await store.alerts()).length === 1,
    );
    await told(
      async () => assert.ok(await other.setAlert(alert.id, { paused: true })),
      async () => (await store.alerts())[0]!.paused,
    );

    await stop();
    const before = calls;
    await child('publish', 'published')();
    await wait(100);
    assert.equal(calls, before);
  });

  test('several processes may open a new store at the same moment', async t => {
    const url = await freshUrl();
    const children = Array.from({ length: 4 }, () => startChild(t, url, 'open'));
    assert.deepEqual(
      await Promise.all(children.map(wordOf)),
      children.map(() => 'opened'),
    );
    assert.equal((await (await use().open(url)).totals()).version, 0);
  });
}

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Day, dayFromIso, MILLIS_PER_DAY } from '../../domain/day.ts';
import type { Period } from '../../domain/interval.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { load } from '../pipeline.ts';
import { demoSource } from './demo-source.ts';
import { demoTicks } from './ticks.ts';

const TODAY = dayFromIso('2026-06-30')!;
const HOUR_MS = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-ticks-'));
after(() => rmSync(folder, { recursive: true }));

async function demoStore(name: string): Promise<Store> {
  const store = await openStore(`sqlite:${join(folder, name)}`);
  await load({
    store,
    source: demoSource({ today: TODAY, assets: 60 }),
    today: TODAY,
    signal: new AbortController().signal,
  });
  return store;
}

async function prices(store: Store): Promise<Map<number, number>> {
  return new Map((await store.currentSince(0)).rows.map(row => [row.assetNumber, row.price]));
}

test('each tick is a publication that moves a few prices by little, in the same way each time', async () => {
  const now = () => TODAY * MILLIS_PER_DAY + 1000;
  const seen: (readonly [number, number])[][] = [];
  for (const name of ['one.db', 'two.db']) {
    const store = await demoStore(name);
    const tick = demoTicks(store, now);
    const moves: (readonly [number, number])[] = [];
    let before = await prices(store);
    for (let i = 0; i < 20; i++) {
      const version = await store.version();
      await tick();
      assert.ok((await store.version()) > version);
      const next = await prices(store);
      const moved = [...next].filter(([assetNumber, price]) => before.get(assetNumber) !== price);
      assert.ok(moved.length > 0 && moved.length <= 5, `${moved.length}`);
      for (const [assetNumber, price] of moved) assert.ok(Math.abs(price / before.get(assetNumber)! - 1) < 0.02);
      moves.push(...moved);
      before = next;
    }
    seen.push(moves);
    for (const [assetNumber, price] of moves.slice(-1)) {
      const bar = await store.bars(assetNumber, TODAY, TODAY);
      assert.equal(bar.close[0], price);
      assert.ok(bar.low[0]! <= price && price <= bar.high[0]!);
      assert.ok(bar.volume[0]! > 0 && bar.open[0]! > 0, 'the rest of the bar is still there');
    }
    await store.close();
  }
  assert.deepEqual(seen[0], seen[1]);
});

test('nothing moves before the day has prices, and while another process writes', async () => {
  const store = await demoStore('still.db');
  const version = await store.version();
  await demoTicks(store, () => (TODAY + 1) * MILLIS_PER_DAY)();
  const lock = (await store.lock('load'))!;
  await demoTicks(store, () => TODAY * MILLIS_PER_DAY)();
  await lock.release();
  assert.equal(await store.version(), version);
  await store.close();
});

test('a load of the demo leaves the prices of the running day as they have moved, and the next day closes it', async () => {
  const store = await demoStore('loaded-again.db');
  const simulated = await prices(store);
  const tick = demoTicks(store, () => TODAY * MILLIS_PER_DAY + 1000);
  for (let i = 0; i < 10; i++) await tick();
  const moved = await prices(store);
  assert.notDeepEqual(moved, simulated);
  const loadOn = (today: Day) =>
    load({ store, source: demoSource({ today, assets: 60 }), today, signal: new AbortController().signal });
  assert.equal((await loadOn(TODAY)).state, 'done');
  assert.deepEqual(await prices(store), moved);
  await loadOn((TODAY + 1) as Day); // the day after
  for (const [assetNumber, price] of simulated) {
    if (moved.get(assetNumber) !== price) assert.equal((await store.bars(assetNumber, TODAY, TODAY)).close[0], price);
  }
  await store.close();
});

test('of assets with minutes the running minute moves too, and the hour and the day with it', async () => {
  const store = await openStore(`sqlite:${join(folder, 'minutes.db')}`);
  const loadedAt = TODAY * MILLIS_PER_DAY + 10 * HOUR_MS + 5 * 60_000;
  await load({
    store,
    source: demoSource({ today: TODAY, now: loadedAt, assets: 40, withHours: true }),
    today: TODAY,
    now: () => loadedAt,
    signal: new AbortController().signal,
  });
  // Hours later: minutes are missing between, and every asset has one of now.
  const now = loadedAt + 3 * HOUR_MS;
  const tick = demoTicks(store, () => now);
  for (let i = 0; i < 8; i++) await tick();
  const [minute, hour] = [Math.floor(now / 60_000) as Period, Math.floor(now / HOUR_MS) as Period];
  let moved = 0;
  for (const { assetNumber, lastDay } of await store.assets()) {
    if (lastDay !== TODAY) continue;
    const day = await store.bars(assetNumber, TODAY, TODAY);
    const running = await store.series('1m').bars(assetNumber, minute, minute);
    const made = await store.series('1h').bars(assetNumber, hour, hour);
    assert.deepEqual([running.close[0], made.close[0]], [day.close[0], day.close[0]]);
    assert.ok(running.low[0]! <= running.close[0]! && running.high[0]! >= running.close[0]!);
    if (running.open[0] !== running.close[0]) moved++;
  }
  assert.ok(moved > 5, `${moved}`);
  await store.checkIntegrity();
  await store.close();
});

test('an asset without minutes gets none', async () => {
  const store = await demoStore('no-minutes.db');
  await demoTicks(store, () => TODAY * MILLIS_PER_DAY + 1000)();
  assert.equal((await store.intervals()).find(({ interval }) => interval === '1m')!.bars, 0);
  await store.close();
});

// The store's contract: the facts of past days.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import type { AssetNumber } from '../../src/domain/asset.ts';
import type { Day } from '../../src/domain/day.ts';
import type { FactRow, Store } from '../../src/store/store.ts';
import { DAY, draft, ended, startChild, wordOf } from './fixtures.ts';
import type { Subject } from './store.ts';
import { clearPending, newAssets } from './store-bars.ts';

const day = (offset: number) => (DAY + offset) as Day; // a day of the domain

/** What a store must know of one asset, written for clarity: a statement per day and fact, unless it repeats the one before. */
class PlainFacts {
  readonly #stated = { rank: new Map<number, number | null>(), supply: new Map<number, number | null>() };
  readonly #caps = new Map<number, number>();

  put({ day, marketCap, ...facts }: Omit<FactRow, 'assetNumber'>): void {
    for (const name of ['rank', 'supply'] as const) {
      const [value, stated] = [facts[name], this.#stated[name]];
      if (value === undefined || stated.get(day) === value) continue;
      if (this.#lasting(name, day - 1) === value) stated.delete(day);
      else stated.set(day, value);
    }
    if (marketCap !== undefined) this.#caps.set(day, marketCap);
  }

  on(day: number): [rank: number | null, supply: number | null, marketCap: number | null] {
    return [this.#lasting('rank', day), this.#lasting('supply', day), this.#caps.get(day) ?? null];
  }

  #lasting(name: 'rank' | 'supply', until: number): number | null {
    const days = [...this.#stated[name].keys()].filter(each => each <= until);
    return days.length === 0 ? null : this.#stated[name].get(Math.max(...days))!;
  }
}

async function factsOn(store: Store, asset: AssetNumber, offsets: readonly number[]) {
  const known = (values: Float64Array) => (Number.isNaN(values[0]) ? null : values[0]!);
  const found: (number | null)[][] = [];
  for (const offset of offsets) {
    const { rank, supply, marketCap } = await store.factsOn([asset], [day(offset)]);
    found.push([known(rank), known(supply), known(marketCap)]);
  }
  return found;
}

/** From the changes of an asset. */
async function factsOfDays(store: Store, asset: AssetNumber, offsets: readonly number[]) {
  const records = await store.factsOf(asset);
  return offsets.map(offset => {
    const known = records.filter(record => record.day <= day(offset));
    const last = (name: 'rank' | 'supply') => known.findLast(record => record[name] !== undefined)?.[name] ?? null;
    return [last('rank'), last('supply'), known.find(record => record.day === day(offset))?.marketCap ?? null];
  });
}

const NOTHING = [null, null, null];

export function factContract(use: () => Subject, freshUrl: () => Promise<string>): void {
  test('facts hold from the day on which they became known, and a market capitalisation on its day alone', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const made = await store.putFacts(
      [
        { assetNumber: a, day: day(40), rank: 3, supply: 1.5e7, marketCap: 9e11 },
        { assetNumber: a, day: day(0), rank: 4 },
        { assetNumber: b, day: day(1), supply: 7 },
        { assetNumber: a, day: day(41), rank: 3 },
      ],
      17,
    );
    assert.deepEqual(made, { inserted: 3, replaced: 0, unchanged: 1 });
    assert.deepEqual(await factsOn(store, a, [-1, 0, 39, 40, 41, 5000]), [
      NOTHING,
      [4, null, null],
      [4, null, null],
      [3, 1.5e7, 9e11],
      [3, 1.5e7, null],
      [3, 1.5e7, null],
    ]);
    assert.deepEqual(await factsOn(store, b, [0, 1]), [NOTHING, [null, 7, null]]);
    assert.deepEqual(await store.factsOf(a), [
      { day: day(0), load: 17, rank: 4 },
      { day: day(40), load: 17, rank: 3, supply: 1.5e7, marketCap: 9e11 },
    ]);
    assert.deepEqual(await store.factsOf(999), []);
    assert.deepEqual((await store.factsOn([], [])).rank, new Float64Array(0));
    await assert.rejects(store.putFacts([{ assetNumber: 999, day: day(0), rank: 1 }], 1), { code: 'unknown_asset' });
  });

  test('only what changes facts makes an asset pending', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    await store.putFacts(
      [a, b].map(assetNumber => ({ assetNumber, day: day(5), rank: 1 })),
      1,
    );
    await clearPending(store);
    const repeated = await store.putFacts([{ assetNumber: a, day: day(9), rank: 1 }], 2);
    assert.deepEqual([repeated.unchanged, await store.pending()], [1, []]);
    const corrected = await store.putFacts([{ assetNumber: b, day: day(5), rank: 2 }], 2);
    assert.deepEqual([corrected.replaced, await store.pending()], [1, [b]]);
    assert.deepEqual(await store.factsOf(b), [{ day: day(5), load: 2, rank: 2 }]);
  });

  test('ranks and supplies that change with an asset are recorded with it', async () => {
    const store = await use().fresh();
    const put = (rank: number | null, supply: number | null, at: number, load: number, name = 'a') =>
      store.putAssets([draft('a', { rank, supply, name })], { day: day(at), load });
    const [a] = (await put(5, 100, 0, 1)) as [AssetNumber];
    await put(5, 100, 1, 2, 'another name');
    await put(6, 100, 3, 3);
    await put(7, 100, 3, 4);
    await put(null, 101, 40, 5);
    await store.putAssets([draft('a', { rank: 1 })]);
    assert.deepEqual(await store.factsOf(a), [
      { day: day(0), load: 1, rank: 5, supply: 100 },
      { day: day(3), load: 4, rank: 7 },
      { day: day(40), load: 5, rank: null, supply: 101 },
    ]);
    await store.renameAsset(a, draft('b', { rank: 2, supply: 101 }), { day: day(41), load: 6 });
    assert.deepEqual((await store.factsOf(a)).at(-1), { day: day(41), load: 6, rank: 2 });
    // Back to what it was the day before: nothing is left of the day.
    await store.renameAsset(a, draft('b', { supply: 101 }), { day: day(41), load: 7 });
    assert.deepEqual((await store.factsOf(a)).at(-1), { day: day(40), load: 5, rank: null, supply: 101 });
    await store.removeFacts(a);
    assert.deepEqual(await store.factsOf(a), []);
  });

  test('a rank that is recorded after the clock went back holds on later days, too', async () => {
    const store = await use().fresh();
    const put = (rank: number, offset: number) =>
      store.putAssets([draft('a', { rank })], { day: day(offset), load: offset });
    const [asset] = (await put(1, 1)) as [AssetNumber];
    await put(2, 9);
    await store.putFacts([{ assetNumber: asset, day: day(12), marketCap: 700 }], 5);
    await put(3, 40);
    await put(4, 5);
    assert.deepEqual(
      await factsOn(store, asset, [1, 4, 5, 9, 12, 40, 41]),
      [1, 1, 4, 4, 4, 4, 4].map((rank, i) => [rank, null, i === 4 ? 700 : null]),
    );
    await put(5, 40);
    assert.deepEqual(await factsOn(store, asset, [39, 40]), [
      [4, null, null],
      [5, null, null],
    ]);
  });

  test('a store without a history begins it with the facts of all assets, once', async () => {
    const store = await use().fresh();
    const assets = await store.putAssets([draft('a', { rank: 1 }), draft('b'), draft('c', { supply: 8 })]);
    await store.beginFacts({ day: day(0), load: 9 });
    await store.putAssets([draft('b', { rank: 2 })]);
    await store.beginFacts({ day: day(1), load: 10 });
    const found = await Promise.all(assets.map(asset => store.factsOf(asset)));
    assert.deepEqual(found, [[{ day: day(0), load: 9, rank: 1 }], [], [{ day: day(0), load: 9, supply: 8 }]]);
  });

  test('a process that is killed while it records leaves each asset with the record of its facts', async t => {
    const url = await freshUrl();
    const own = { url, store: await use().open(url) };
    const numbers = await own.store.putAssets(Array.from({ length: 40 }, (_, i) => draft(`killed-${i}`)));
    let newest = 0;
    for (let round = 0; round < 3; round++) {
      const child = startChild(t, own.url, 'facts', String(newest + 1));
      await wordOf(child);
      await wait(20 + 60 * round);
      child.kill('SIGKILL');
      await ended(child);
      // Writes one after the other: a database server may still commit what the process sent before it was killed.
      await own.store.publish('x', []);
      const assets = await own.store.assets();
      const loads = new Set<number>();
      for (const { assetNumber, rank, supply } of assets) {
        const records = await own.store.factsOf(assetNumber);
        const last = records.at(-1)!;
        loads.add(last.load);
        assert.deepEqual([last.rank, last.supply], [rank, supply]);
        // One record per load since the first, none lost and none twice.
        assert.deepEqual(
          records.map(({ load }) => load),
          records.map((_, i) => i + 1),
        );
      }
      assert.equal(loads.size, 1);
      newest = [...loads][0]!;
    }
    assert.ok(newest >= 3 && numbers.length === 40);
  });

  test('any rows in any order are as in a plain model', async () => {
    const store = await use().fresh();
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }) },
      fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true }),
      fc.double({ min: 1, max: 1e12, noNaN: true }),
    );
    const rank = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }) },
      fc.constant(null),
      fc.nat(2 ** 31 - 1),
    );
    const row = fc.record(
      { day: fc.oneof(fc.nat(150), fc.nat(3)), rank, supply: fc.oneof(value, fc.constant(null)), marketCap: value },
      { requiredKeys: ['day'] },
    );
    const batches = fc.array(fc.array(row, { maxLength: 12 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, fc.array(fc.integer({ min: -40, max: 200 }), { maxLength: 8 }), async (loads, some) => {
        const [asset, other] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
        await store.putFacts([{ assetNumber: other, day: day(3), rank: 77 }], 1);
        const plain = new PlainFacts();
        for (const [load, rows] of loads.entries()) {
          await store.putFacts(
            rows.map(each => ({ assetNumber: asset, ...each, day: day(each.day) })),
            load + 1,
          );
          const latest = new Map<number, (typeof rows)[number]>();
          for (const each of rows) latest.set(each.day, { ...latest.get(each.day), ...each });
          for (const each of [...latest.values()].sort((x, y) => x.day - y.day))
            plain.put({ ...each, day: day(each.day) });
        }
        const days = Array.from({ length: 153 }, (_, i) => i - 1);
        assert.deepEqual(
          await factsOfDays(store, asset, days),
          days.map(each => plain.on(day(each))),
        );
        assert.deepEqual(
          await factsOn(store, asset, some),
          some.map(each => plain.on(day(each))),
        );
        assert.deepEqual(await factsOn(store, other, [2, 150]), [NOTHING, [77, null, null]]);
      }),
      { numRuns: 100 },
    );
  });
}

// The store's contract: taking bars and profiles out again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import type { Store } from '../../src/store/store.ts';
import { type Bar, batch, DAY, profile } from './fixtures.ts';
import type { Subject } from './store.ts';
import { carried, clearPending, closesOf, newAssets, stored } from './store-bars.ts';

const places = (bars: readonly (readonly [AssetNumber, number])[]) => ({
  assetNumber: Uint32Array.from(bars, ([asset]) => asset),
  day: Int32Array.from(bars, ([, day]) => DAY + day),
});

async function coverage(store: Store, asset: AssetNumber) {
  const { firstDay, lastDay, bars } = (await store.assets()).find(each => each.assetNumber === asset)!;
  return [firstDay === null ? null : firstDay - DAY, lastDay === null ? null : lastDay - DAY, bars];
}

export function correctionContract(use: () => Subject): void {
  test('the bars of a load are those whose close it delivered', async () => {
    const store = await use().fresh();
    const [a, b, c] = (await newAssets(store, 3)) as [AssetNumber, AssetNumber, AssetNumber];
    await store.putBars(batch([a, b].flatMap(assetNumber => [0, 40].map(day => ({ assetNumber, day, close: 1 })))), 7);
    await store.putBars(batch([{ assetNumber: a, day: 40, close: 2 }]), 8);
    await store.putBars(batch([{ assetNumber: c, day: 1, close: 1 }]));
    const bars = async (load: number) => {
      const { assetNumber, day, replaced } = await store.barsOfLoad(load);
      return Array.from(day, (each, i) => [assetNumber[i]!, each - DAY, replaced[i]]).sort(
        (x, y) => x[0]! - y[0]! || x[1]! - y[1]!,
      );
    };
    assert.deepEqual(await bars(7), [
      [a, 0, 0],
      [b, 0, 0],
      [b, 40, 0],
    ]);
    assert.deepEqual(await bars(8), [[a, 40, 1]]);
    assert.deepEqual(await bars(9), []);
  });

  test('bars that are removed are gone, and may come again', async () => {
    const store = await use().fresh();
    for (let load = 0; load < 4; load++) await store.beginLoad('test');
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const bars = [0, 1, 2, 40, 70].map(day => ({ assetNumber: a, day, close: day + 1, high: day + 2, volume: 5 }));
    await store.putBars(batch([...bars, { assetNumber: b, day: 1, close: 9 }]), 3);
    await clearPending(store);
    assert.equal(
      await store.removeBars(
        places([
          [a, 70],
          [a, 1],
          [a, 0],
          [a, 5],
          [a, 500],
        ]),
      ),
      3,
    );
    assert.deepEqual(await stored(store, a), [bars[2], bars[3]]);
    assert.deepEqual(await coverage(store, a), [2, 40, 2]);
    assert.deepEqual(await coverage(store, b), [1, 1, 1]);
    assert.deepEqual(await store.pending(), [a]);
    assert.deepEqual([...(await store.origins(a)).values()], [3, 3]);
    assert.equal(
      await store.removeBars(
        places([
          [a, 2],
          [a, 40],
        ]),
      ),
      2,
    );
    assert.deepEqual([await stored(store, a), await coverage(store, a)], [[], [null, null, 0]]);
    assert.deepEqual(await closesOf(store, [a, b], 10), [[], [9]]);
    await store.checkIntegrity();
    await store.putBars(batch([bars[1]!]), 4);
    assert.deepEqual(await stored(store, a), [bars[1]]);
    assert.deepEqual([...(await store.origins(a)).values()], [4]);
  });

  test('until the next publication, the removed closes are those that were published', async () => {
    const { store } = use();
    const [a] = (await newAssets(store, 1)) as [AssetNumber];
    await store.putBars(batch([0, 1, 2].map(day => ({ assetNumber: a, day, close: day + 1, volume: 7 }))));
    await clearPending(store);
    await store.removeBars(
      places([
        [a, 1],
        [a, 2],
      ]),
    );
    await store.putBars(batch([{ assetNumber: a, day: 2, close: 9 }]));
    const published = async () => [...(await store.publishedCloses(a, FIRST_DAY, LAST_DAY)).closes!.close];
    assert.deepEqual(await published(), [1, 2, 3]);
    const { bars } = await store.publishedBars(a, FIRST_DAY, LAST_DAY);
    assert.deepEqual([...bars!.volume], [7, Number.NaN, Number.NaN]);
    await clearPending(store);
    assert.deepEqual(await published(), [1, 9]);
  });

  test('a removal of bars of an unknown asset changes nothing', async () => {
    const { store } = use();
    const [a] = (await newAssets(store, 1)) as [AssetNumber];
    await store.putBars(batch([{ assetNumber: a, day: 0, close: 1 }]));
    await assert.rejects(
      store.removeBars(
        places([
          [a, 0],
          [1e8 as AssetNumber, 0],
        ]),
      ),
      { code: 'unknown_asset' },
    );
    assert.equal((await stored(store, a)).length, 1);
  });

  test('whatever is put and removed, what is left is read as if nothing else had been there', async () => {
    const { store } = use();
    const days = fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 30 });
    const property = fc.asyncProperty(days, days, days, async (put, removed, again) => {
      const [a] = (await newAssets(store, 1)) as [AssetNumber];
      const bar = (day: number, close: number): Bar => ({ assetNumber: a, day, close });
      await store.putBars(batch(put.map(day => bar(day, 1))));
      await store.removeBars(places(removed.map(day => [a, day] as const)));
      await store.putBars(batch(again.map(day => bar(day, 2))));
      const left = new Map(put.filter(day => !removed.includes(day)).map(day => [day, bar(day, 1)]));
      for (const day of again) left.set(day, bar(day, 2));
      const expected = [...left.values()].sort((x, y) => x.day - y.day);
      assert.deepEqual(await stored(store, a), expected);
      assert.deepEqual(await closesOf(store, [a], 20), [carried(expected, 20)]);
    });
    await fc.assert(property, { numRuns: 30 });
  });

  test('a profile that is removed is gone, and its asset pending', async () => {
    const { store } = use();
    const [a] = (await newAssets(store, 1)) as [AssetNumber];
    await store.putProfiles([{ assetNumber: a, sourced: profile('x') }]);
    await clearPending(store);
    assert.equal(await store.removeProfile(a), true);
    assert.equal(await store.profile(a), null);
    assert.ok((await store.pending()).includes(a));
    assert.equal(await store.removeProfile(a), false);
  });
}

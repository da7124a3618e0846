// The store's contract: closes that are replaced, and what is published of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { type Day, FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import { BASE_INTERVALS } from '../../src/domain/interval.ts';
import type { CurrentRow } from '../../src/store/store.ts';
import { type Bar, batch, DAY, row } from './fixtures.ts';
import type { Subject } from './store.ts';
import { clearPending, newAssets, stored } from './store-bars.ts';

export function replacedContract(use: () => Subject): void {
  test('the replaced closes of two assets are kept apart, however far apart their days are', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    for (const days of [1, 8, 16, 32, 64]) {
      const put = (...closes: readonly [AssetNumber, number, number][]) =>
        store.putBars(batch(closes.map(([assetNumber, day, close]) => ({ assetNumber, day, close }))));
      await put([b, 0, 1], [a, days, 1]);
      await clearPending(store);
      await put([b, 0, 2]);
      await put([a, days, 2]);
      const { closes } = await store.publishedCloses(a, FIRST_DAY, LAST_DAY);
      assert.equal(closes?.close.at(-1), 1, `${days} days`);
      await clearPending(store);
    }
  });

  test('closes that are replaced stay as they were published until the next publication', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const put = (...bars: Bar[]) => store.putBars(batch(bars));
    const published = async (assetNumber: AssetNumber, version?: number) => {
      const { closes, ...rest } = await store.publishedCloses(assetNumber, FIRST_DAY, LAST_DAY, version);
      return { ...rest, closes: closes && Array.from(closes.day, (day, i) => [day - DAY, closes.close[i]]) };
    };
    await put(
      { assetNumber: a, day: 0, close: 1 },
      { assetNumber: a, day: 2, close: 3 },
      { assetNumber: b, day: 0, close: 1 },
    );
    await clearPending(store);
    const version = await store.version();
    const before = [
      [0, 1],
      [2, 3],
    ];
    assert.deepEqual(await published(a), { version, closes: before });

    await put(
      { assetNumber: a, day: 0, close: 10 },
      { assetNumber: a, day: 1, close: 20 },
      { assetNumber: b, day: 0, close: 1, volume: 5 },
    );
    await put(
      { assetNumber: a, day: 0, close: 100 },
      { assetNumber: a, day: 1, close: 200 },
      { assetNumber: a, day: 2, close: 3, open: 4 },
    );
    assert.deepEqual(await published(a, version), { version, closes: before });
    assert.deepEqual(await published(b, version), { version, closes: [[0, 1]] });
    assert.deepEqual(await published(a, version - 1), { version, closes: null });
    assert.deepEqual(await published(99_999), { version, closes: [] });
    assert.deepEqual(
      (await stored(store, a)).map(({ close }) => close),
      [100, 200, 3],
    );

    await store.publish('x', [{ rows: [], removed: [b] }]);
    assert.deepEqual((await published(a)).closes, before, 'it is another one that was published');
    await store.publish('x', [{ rows: [], removed: [a] }]);
    const after = [
      [0, 100],
      [1, 200],
      [2, 3],
    ];
    assert.deepEqual((await published(a)).closes, after);
    await put({ assetNumber: a, day: 2, close: 300 });
    assert.deepEqual((await published(a)).closes, after);
  });

  test('days count as replaced if their close changes, or before the latest day another number', async () => {
    const store = await use().fresh();
    const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
    const bars = [0, 1, 2].map(day => ({ assetNumber, day, open: 2, high: 9, low: 1, close: 5 + day, volume: 3 }));
    const put = (day: number, changes: Partial<Bar>) => store.putBars(batch([{ ...bars[day]!, ...changes }]));
    const replaced = async () => {
      const { day, close } = await store.replacedCloses();
      return Array.from(day, (each, i) => [each - DAY, close[i]]).sort();
    };
    await store.putBars(batch(bars));
    await clearPending(store);
    await store.putBars(batch(bars));
    assert.deepEqual(await replaced(), [], 'the same bars again');
    await put(2, { high: 10, low: 0.5, volume: 4 });
    assert.deepEqual(await replaced(), []);
    await put(1, { high: 10 });
    assert.deepEqual(await replaced(), [[1, 6]]);
    await clearPending(store);
    await put(1, { volume: 4 });
    assert.deepEqual(await replaced(), [[1, 6]]);
    await put(0, { low: 0.5, close: 50 });
    await put(2, { close: 70 });
    assert.deepEqual(await replaced(), [
      [0, 5],
      [1, 6],
      [2, 7],
    ]);
  });

  test('bars have the published closes, and never numbers of another load beside them', async () => {
    const store = await use().fresh();
    const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
    const put = (...bars: Omit<Bar, 'assetNumber'>[]) =>
      store.putBars(batch(bars.map(bar => ({ assetNumber, ...bar }))));
    const published = async (from = FIRST_DAY, to = LAST_DAY) => {
      const { bars } = await store.publishedBars(assetNumber, from, to);
      return Array.from(bars!.day, (day, i) => [
        day - DAY,
        ...[bars!.open, bars!.high, bars!.low, bars!.close, bars!.volume].map(numbers => numbers[i]),
      ]);
    };
    assert.deepEqual(await published(), []);
    await put({ day: 0, open: 1, high: 4, low: 1, close: 2, volume: 9 }, { day: 3, close: 7 });
    await clearPending(store);
    const version = await store.version();
    const unknown = Number.NaN;
    const last = [3, unknown, unknown, unknown, 7, unknown];
    assert.deepEqual(await published(), [[0, 1, 4, 1, 2, 9], last]);
    assert.deepEqual(await published((DAY + 1) as typeof DAY), [last]);

    await put({ day: 0, open: 10, high: 40, low: 10, close: 20, volume: 90 }, { day: 1, close: 5 });
    assert.deepEqual(await published(), [[0, unknown, unknown, unknown, 2, unknown], last]);
    await put({ day: 3, close: 7, volume: 8 });
    assert.deepEqual((await published())[1], [3, unknown, unknown, unknown, 7, 8]);
    assert.deepEqual(await store.publishedBars(assetNumber, FIRST_DAY, LAST_DAY, version + 1), { version, bars: null });

    await clearPending(store);
    assert.deepEqual(await published(), [
      [0, 10, 40, 10, 20, 90],
      [1, unknown, unknown, unknown, 5, unknown],
      [3, unknown, unknown, unknown, 7, 8],
    ]);
  });

  test('any closes that are replaced, in any batches, leave those that are published', async () => {
    const store = await use().fresh();
    const days = fc.uniqueArray(fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 5 })), { selector: ([day]) => day });
    await fc.assert(
      fc.asyncProperty(days, fc.array(days, { maxLength: 3 }), async (first, later) => {
        const [assetNumber] = (await newAssets(store, 1)) as [AssetNumber];
        const put = (bars: readonly [number, number][]) =>
          store.putBars(batch(bars.map(([day, close]) => ({ assetNumber, day, close }))));
        await put(first);
        await clearPending(store);
        for (const bars of later) await put(bars);
        const known = first.map(([day]) => DAY + day);
        // As a server asks: for the days that it knows of.
        const [from, to] = [Math.min(...known), Math.max(...known)] as [typeof DAY, typeof DAY];
        if (known.length === 0) return;
        const { closes } = await store.publishedCloses(assetNumber, from, to);
        assert.deepEqual(
          Array.from(closes!.day, (day, i) => [day - DAY, closes!.close[i]]),
          first.toSorted(([a], [b]) => a - b),
        );
      }),
      { numRuns: 50 },
    );
  });

  test('a publication notes which bars before the newest published one it has changed', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    for (const interval of BASE_INTERVALS) {
      const series = store.series(interval);
      const put = (...bars: Bar[]) => series.putBars(batch(bars));
      // Published as a load does it: the day of the row is that of the newest daily bar.
      const publish = async () => {
        const rows: CurrentRow[] = [];
        for (const asset of [a, b]) {
          const { lastDay } = await store.closes([asset], 0);
          rows.push({ ...row(asset, 1), day: lastDay[0] as Day });
        }
        return store.publish('x', [{ rows, removed: [] }]);
      };
      const at = (assetNumber: AssetNumber, day: number, close: number): Bar => ({ assetNumber, day, close });
      const since = async (version: number) =>
        [...(await store.rewrittenSince(interval, version))].toSorted(([one], [other]) => one - other);
      await put(...[0, 1, 2, 3, 5, 6].flatMap(day => [at(a, day, 1), at(b, day, 1)]));
      const first = await publish();
      await put(at(a, 6, 2), at(a, 7, 2), at(b, 7, 2));
      const second = await publish();
      assert.deepEqual(await since(0), [], `the newest bar of ${interval} and later ones`);
      await put(at(a, 6, 3), at(b, 4, 3));
      const third = await publish();
      const changed = [
        [a, DAY + 6],
        [b, DAY + 4],
      ];
      assert.deepEqual(await since(second), changed, 'a replaced bar, and one in a gap');
      assert.deepEqual([await since(first), await since(third)], [changed, []]);
      await series.removeBars({ assetNumber: Uint32Array.of(b), day: Int32Array.of(DAY + 2) });
      await put(at(a, 7, 4));
      const fourth = await publish();
      assert.deepEqual(await since(third), [[b, DAY + 2]], 'a removed bar');
      await put(at(b, 5, 9));
      const fifth = await publish();
      assert.deepEqual(await since(fourth), [[b, DAY + 2]], 'the oldest one is remembered');
      await series.removeBars({ assetNumber: Uint32Array.of(a, a), day: Int32Array.of(DAY + 6, DAY + 7) });
      await publish();
      assert.deepEqual((await since(fifth))[0], [a, DAY + 6], 'the two newest ones are removed');
    }
  });
}

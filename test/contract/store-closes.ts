// The store's contract: closes and bars of each day, also of days without one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { type Bar, batch, DAY, draft } from './fixtures.ts';
import type { Subject } from './store.ts';
import { carried, closesOf, newAssets } from './store-bars.ts';

export function closeContract(use: () => Subject): void {
  test('closes are one for each day, as far back as asked; a day without one has the one before', async () => {
    const { store } = use();
    const [gaps, short, none] = (await newAssets(store, 3)) as [AssetNumber, AssetNumber, AssetNumber];
    await store.putBars(
      batch([
        ...[0, 1, 4, 5, 9, 12].map(day => ({ assetNumber: gaps, day, close: day + 0.5 })),
        ...[100, 101].map(day => ({ assetNumber: short, day, close: day + 0.5 })),
      ]),
    );
    const closes = (assetNumbers: AssetNumber[], days: number) => closesOf(store, assetNumbers, days);
    assert.deepEqual(await closes([short, none, gaps, 99_999], 7), [
      [100.5, 101.5],
      [],
      [5.5, 5.5, 5.5, 5.5, 9.5, 9.5, 9.5, 12.5],
      [],
    ]);
    assert.deepEqual(await closes([gaps], 6), [[5.5, 5.5, 5.5, 9.5, 9.5, 9.5, 12.5]]);
    assert.deepEqual(await closes([gaps], 1), [[9.5, 12.5]]);
    assert.deepEqual(await closes([gaps], 0), [[12.5]]);
    const all = [0.5, 1.5, 1.5, 1.5, 4.5, 5.5, 5.5, 5.5, 5.5, 9.5, 9.5, 9.5, 12.5];
    assert.deepEqual(await closes([gaps, gaps], 366), [all, all]);
    assert.deepEqual(await closes([], 366), []);
    const { firstDay, lastDay } = await store.closes([short, gaps], 0);
    assert.deepEqual([...firstDay], [DAY + 100, DAY], 'the first day of all is told however few closes are asked for');
    assert.deepEqual([...lastDay], [DAY + 101, DAY + 12]);
  });

  test('bars of several assets are those that are stored, each asset from a day of its own', async () => {
    const { store } = use();
    const [gaps, short, none] = (await newAssets(store, 3)) as [AssetNumber, AssetNumber, AssetNumber];
    const bars = [0, 1, 4, 40, 41, 90].map(day => ({
      assetNumber: gaps,
      day,
      close: day + 0.5,
      high: 100,
      volume: day,
    }));
    await store.putBars(batch([...bars, { assetNumber: short, day: 70, open: 2, close: 3, low: 1 }]));
    const read = async (assets: AssetNumber[], from: number[]) => {
      const found = await store.barsFrom(
        assets,
        from.map(day => DAY + day),
      );
      return assets.map((_, i) =>
        Array.from({ length: found.starts[i + 1]! - found.starts[i]! }, (_, bar) => {
          const at = found.starts[i]! + bar;
          return [
            found.day[at]! - DAY,
            ...([found.open, found.high, found.low, found.close, found.volume] as const).map(column => column[at]),
          ];
        }),
      );
    };
    const unknown = Number.NaN;
    const ofGaps = bars.map(({ day, close, high, volume }) => [day, unknown, high, unknown, close, volume]);
    const ofShort = [[70, 2, unknown, 1, 3, unknown]];
    assert.deepEqual(await read([short, none, gaps, 99_999], [-1e9, 0, 2, 0]), [ofShort, [], ofGaps.slice(2), []]);
    assert.deepEqual(await read([gaps, short], [Number.NEGATIVE_INFINITY, 71]), [ofGaps, []]);
    assert.deepEqual(await read([gaps, gaps], [90, 91]), [ofGaps.slice(5), []]);
    assert.deepEqual(await read([], []), []);
    assert.deepEqual([...(await store.barsFrom([short, gaps], [DAY + 99, DAY + 50])).firstDay], [DAY + 70, DAY]);
  });

  test('closes until a day are those of a store that has no later ones', async () => {
    const { store } = use();
    const [gaps, dense, late] = (await newAssets(store, 3)) as [AssetNumber, AssetNumber, AssetNumber];
    const days = [0, 1, 4, 50, 51, 200, 640, 641];
    const bars: Record<AssetNumber, Bar[]> = {
      [gaps]: days.map(day => ({ assetNumber: gaps, day, close: day + 0.5 })),
      [dense]: Array.from({ length: 700 }, (_, day) => ({ assetNumber: dense, day, close: day + 0.25 })),
      [late]: [{ assetNumber: late, day: 600, close: 7 }],
    };
    await store.putBars(batch(Object.values(bars).flat()));
    for (const until of [-1, 0, 1, 3, 4, 49, 51, 60, 199, 200, 599, 600, 639, 640, 641, 699, 900]) {
      for (const wanted of [0, 5, 366]) {
        const found = await store.closes([gaps, late, dense], wanted, (DAY + until) as typeof DAY);
        for (const [i, assetNumber] of [gaps, late, dense].entries()) {
          const known = bars[assetNumber]!.filter(({ day }) => day <= until);
          const closes = [...found.close.subarray(found.starts[i], found.starts[i + 1])];
          assert.deepEqual(closes, carried(known, wanted), `asset ${i} until ${until}, ${wanted} days`);
          if (known.length === 0) continue;
          assert.deepEqual([found.firstDay[i], found.lastDay[i]], [DAY + known[0]!.day, DAY + known.at(-1)!.day]);
        }
      }
    }
  });

  test('daily bars are those of the days of closes, with a day without a bar as one without trade', async () => {
    const { store } = use();
    const [gaps, none, dense] = (await newAssets(store, 3)) as [AssetNumber, AssetNumber, AssetNumber];
    const nan = Number.NaN;
    const given: Bar[] = [
      { assetNumber: gaps, day: 0, open: 1, high: 3, low: 0.5, close: 2, volume: 10 },
      { assetNumber: gaps, day: 40, close: 5 },
      { assetNumber: gaps, day: 42, open: 6, close: 7, volume: 20 },
      ...Array.from({ length: 100 }, (_, day) => ({
        assetNumber: dense,
        day,
        high: day + 2,
        low: day + 1,
        close: day + 1.5,
      })),
    ];
    await store.putBars(batch(given));
    const of = async (days: number, until?: number) => {
      const day = until === undefined ? undefined : ((DAY + until) as typeof DAY);
      const found = await store.dailyBars([gaps, none, dense], days, day);
      const closes = await store.closes([gaps, none, dense], days, day);
      assert.deepEqual([found.starts, found.close], [closes.starts, closes.close]);
      const rowsOf = (i: number) =>
        Array.from({ length: found.starts[i + 1]! - found.starts[i]! }, (_, at) =>
          (['open', 'high', 'low', 'close', 'volume'] as const).map(name => found[name][found.starts[i]! + at]),
        );
      return [rowsOf(0), rowsOf(1), rowsOf(2)];
    };
    const carried5 = [5, 5, 5, 5, 0];
    assert.deepEqual((await of(3))[0], [[2, 2, 2, 2, 0], [nan, nan, nan, 5, nan], carried5, [6, nan, nan, 7, 20]]);
    assert.deepEqual((await of(0, 41))[0], [[nan, nan, nan, 5, nan]], 'until a day, the newest bar is the last one');
    const [whole, empty, other] = await of(1000);
    assert.deepEqual([whole?.length, whole?.[0], whole?.[39]], [43, [1, 3, 0.5, 2, 10], [2, 2, 2, 2, 0]]);
    assert.deepEqual(empty, []);
    assert.deepEqual([other?.length, other?.[64]], [100, [nan, 66, 65, 65.5, nan]]);
  });

  test('closes tell the day that each was delivered for, if they are asked to', async () => {
    const { store } = use();
    const [gaps, none, dense] = (await newAssets(store, 3)) as [AssetNumber, AssetNumber, AssetNumber];
    const days = [0, 40, 42, 43, 90, 130];
    await store.putBars(
      batch([
        ...days.map(day => ({ assetNumber: gaps, day, close: day + 1 })),
        ...Array.from({ length: 131 }, (_, day) => ({ assetNumber: dense, day, close: day + 1 })),
      ]),
    );
    assert.equal((await store.closes([gaps, dense], 3)).closeDays, undefined);
    for (const read of ['closes', 'dailyBars'] as const) {
      for (const count of [0, 1, 5, 39, 60, 1000]) {
        for (const until of [0, 41, 42, 89, 130, 200]) {
          const found = await store[read]([gaps, none, dense], count, (DAY + until) as typeof DAY, { closeDays: true });
          const last = days.filter(day => day <= until).at(-1)!;
          const first = Math.max(0, last - count);
          const expected = Array.from({ length: last - first + 1 }, (_, i) => {
            return DAY + days.filter(day => day <= first + i).at(-1)!;
          });
          const own = found.closeDays![0];
          // Up to the second bar there are no missing days.
          if (own === null) assert.deepEqual(expected, [DAY + last]);
          else assert.deepEqual([...own!], expected, `${read} ${count} ${until}`);
          assert.deepEqual(found.closeDays!.slice(1), [null, null]);
        }
      }
    }
  });

  test('closes of many assets can be asked for again and again', async () => {
    const store = await use().fresh();
    const assetNumbers = await store.putAssets(Array.from({ length: 400 }, (_, i) => draft(`asset-${i}`)));
    const bars = assetNumbers.flatMap(assetNumber =>
      [-50, 0].map(day => ({ assetNumber, day, close: assetNumber + day / 100 })),
    );
    await store.putBars(batch(bars));
    const expected = assetNumbers.flatMap(assetNumber => [...Array(50).fill(assetNumber - 0.5), assetNumber]);
    for (let round = 0; round < 12; round++) {
      assert.deepEqual([...(await store.closes(assetNumbers, 50)).close], expected);
    }
  });

  test('a close is carried over any number of days', async () => {
    const { store } = use();
    const [assetNumber, beside] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    await store.putBars(
      batch([
        { assetNumber, day: -3000, close: 7 },
        { assetNumber, day: 0, close: 8 },
        { assetNumber: beside, day: -500, close: 9 },
      ]),
    );
    assert.deepEqual(await closesOf(store, [assetNumber], 3), [[7, 7, 7, 8]]);
    assert.deepEqual(await closesOf(store, [assetNumber], 2999), [[...Array(2999).fill(7), 8]]);
    assert.deepEqual(await closesOf(store, [assetNumber], 3001), [[...Array(3000).fill(7), 8]]);
  });
}

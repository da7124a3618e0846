// The store's contract: the bars of every base interval, and the coarser ones that are made of finer ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { type BaseInterval, LAST_PERIOD, type Period } from '../../src/domain/interval.ts';
import { isMade, loadOf } from '../../src/store/port/origins.ts';
import type { Store, StoredBars } from '../../src/store/store.ts';
import type { Subject } from './store.ts';
import { clearPending, newAssets } from './store-bars.ts';

const NUMBERS = ['open', 'high', 'low', 'close', 'volume'] as const;

type Numbers = Partial<Record<(typeof NUMBERS)[number], number>>;
export interface Bar extends Numbers {
  readonly close: number;
}

/** 2024-03-01T00:00Z in days, hours and minutes. */
export const DAY = 19_783;
export const [HOUR, MINUTE] = [DAY * 24, DAY * 1440];

/** Bars of one asset by period. */
export type Bars = ReadonlyMap<number, Bar>;

export function batchOf(assetNumber: AssetNumber, bars: Bars): StoredBars {
  const rows = [...bars.entries()];
  const column = (name: (typeof NUMBERS)[number]) => Float64Array.from(rows, ([, bar]) => bar[name] ?? Number.NaN);
  return {
    count: rows.length,
    assetNumber: new Uint32Array(rows.length).fill(assetNumber),
    day: Int32Array.from(rows, ([period]) => period),
    ...{ open: column('open'), high: column('high'), low: column('low'), close: column('close') },
    volume: column('volume'),
  };
}

async function put(store: Store, interval: BaseInterval, asset: AssetNumber, bars: Bars, load = 0) {
  return store.series(interval).putBars(batchOf(asset, bars), load);
}

async function stored(store: Store, interval: BaseInterval, asset: AssetNumber): Promise<Map<number, Bar>> {
  return barsOf(await store.series(interval).bars(asset, 0 as Period, LAST_PERIOD as Period));
}

export function barsOf(columns: Pick<StoredBars, 'day' | (typeof NUMBERS)[number]>): Map<number, Bar> {
  return new Map(
    Array.from(columns.day, (period, i) => {
      const known = NUMBERS.filter(name => !Number.isNaN(columns[name][i]));
      return [period, Object.fromEntries(known.map(name => [name, columns[name][i]])) as unknown as Bar]; // every bar has a close
    }),
  );
}

/** As SPEC.md says it: first open, highest high, lowest low, last close, sum of volumes; unknown if one is unknown. */
function made(finer: readonly Bar[]): Bar {
  const all = (name: 'high' | 'low' | 'volume') => finer.map(bar => bar[name]).filter(number => number !== undefined);
  const whole = (name: 'high' | 'low' | 'volume') => all(name).length === finer.length;
  return {
    ...(finer[0]!.open === undefined ? {} : { open: finer[0]!.open }),
    ...(whole('high') ? { high: Math.max(...all('high')) } : {}),
    ...(whole('low') ? { low: Math.min(...all('low')) } : {}),
    close: finer.at(-1)!.close,
    ...(whole('volume') ? { volume: all('volume').reduce((sum, volume) => sum + volume, 0) } : {}),
  };
}

function withMade(loaded: Bars, finer: Bars, ratio: number): Map<number, Bar> {
  const periods = Map.groupBy(
    [...finer.keys()].sort((a, b) => a - b),
    period => Math.floor(period / ratio),
  );
  const bars = new Map([...periods].map(([period, own]) => [period, made(own.map(one => finer.get(one)!))] as const));
  for (const [period, bar] of loaded) bars.set(period, bar);
  return new Map([...bars].sort(([a], [b]) => a - b));
}

/** What a store must have after some loads and removals. */
export class Model {
  readonly loaded: Record<BaseInterval, Map<number, Bar>> = { '1m': new Map(), '1h': new Map(), '1d': new Map() };

  put(interval: BaseInterval, bars: Bars): void {
    for (const [period, bar] of bars)
      this.loaded[interval].set(period, { ...this.loaded[interval].get(period), ...bar });
  }

  all(): Record<BaseInterval, Map<number, Bar>> {
    const minutes = withMade(this.loaded['1m'], new Map(), 1);
    const hours = withMade(this.loaded['1h'], minutes, 60);
    return { '1m': minutes, '1h': hours, '1d': withMade(this.loaded['1d'], hours, 24) };
  }
}

export const START: Record<BaseInterval, number> = { '1m': MINUTE, '1h': HOUR, '1d': DAY };
export const SPAN: Record<BaseInterval, number> = { '1m': 200, '1h': 60, '1d': 3 };

const someBars = (interval: BaseInterval) => {
  // Sums of eighths are exact in any order.
  const number = fc.integer({ min: 1, max: 80_000 }).map(eighths => eighths / 8);
  const bar = fc.record(
    { open: number, high: number, low: number, close: number, volume: number },
    { requiredKeys: ['close'] },
  );
  const place = fc.integer({ min: 0, max: SPAN[interval] }).map(offset => START[interval] + offset);
  return fc.array(fc.tuple(place, bar), { minLength: 1, maxLength: 40 }).map(rows => new Map(rows));
};

export const steps = fc.array(
  fc.oneof(
    ...(['1m', '1h', '1d'] as const).map(interval =>
      someBars(interval).map(bars => ({ kind: 'put' as const, interval, bars })),
    ),
    ...(['1m', '1h'] as const).map(interval =>
      fc
        .array(fc.integer({ min: 0, max: SPAN[interval] }), { minLength: 1, maxLength: 30 })
        .map(offsets => ({ kind: 'remove' as const, interval, offsets })),
    ),
  ),
  { minLength: 1, maxLength: 6 },
);

export function seriesContract(use: () => Subject): void {
  test('minutes make hours, and hours make days, unless those were loaded, in whatever order all of it comes and goes', async () => {
    const store = await use().fresh();
    await fc.assert(
      fc.asyncProperty(steps, async taken => {
        const [asset] = (await newAssets(store, 1)) as [AssetNumber];
        const model = new Model();
        for (const step of taken) {
          if (step.kind === 'put') {
            await put(store, step.interval, asset, step.bars);
            model.put(step.interval, step.bars);
            continue;
          }
          const loaded = model.loaded[step.interval];
          const periods = new Set(step.offsets.map(offset => START[step.interval] + offset));
          const known = [...periods].filter(period => loaded.has(period));
          const day = Int32Array.from(known);
          const assetNumber = new Uint32Array(known.length).fill(asset);
          assert.equal(await store.series(step.interval).removeBars({ assetNumber, day }), known.length);
          for (const period of known) loaded.delete(period);
        }
        const expected = model.all();
        for (const interval of ['1m', '1h', '1d'] as const)
          assert.deepEqual(await stored(store, interval, asset), expected[interval], interval);
      }),
      { numRuns: 60 },
    );
    await store.checkIntegrity();
  });

  test('an origin says whether a bar was loaded or made, and by which load', async () => {
    const store = await use().fresh();
    const [asset] = (await newAssets(store, 1)) as [AssetNumber];
    const [first, second] = [await store.beginLoad('csv:minutes'), await store.beginLoad('csv:hours')];
    await put(
      store,
      '1m',
      asset,
      new Map([
        [MINUTE, { close: 1 }],
        [MINUTE + 60, { close: 2 }],
      ]),
      first,
    );
    await put(store, '1h', asset, new Map([[HOUR, { close: 1 }]]), second);
    const origins = async (interval: BaseInterval) =>
      [...(await store.series(interval).origins(asset))].map(([period, origin]) => [
        period,
        isMade(origin) ? 'made' : 'loaded',
        loadOf(origin),
      ]);
    assert.deepEqual(await origins('1h'), [
      [HOUR, 'loaded', second],
      [HOUR + 1, 'made', first],
    ]);
    assert.deepEqual(await origins('1d'), [[DAY, 'made', first]]);
    const { assetNumber, day } = await store.series('1m').barsOfLoad(first);
    assert.deepEqual(
      [[...assetNumber], [...day]],
      [
        [asset, asset],
        [MINUTE, MINUTE + 60],
      ],
    );
    assert.equal((await store.series('1h').barsOfLoad(first)).day.length, 0, 'what was made is not of a load');
    await store.checkIntegrity();
  });

  test('old bars can be dropped; what was made of them stays, also when one of them comes again', async () => {
    const store = await use().fresh();
    const [asset, other] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const minutes = new Map(Array.from({ length: 2000 }, (_, i) => [MINUTE + i, { close: 1 + i }]));
    await put(store, '1m', asset, minutes);
    await put(store, '1m', other, new Map([[MINUTE + 5, { close: 7 }]]));
    const [hours, days] = [await stored(store, '1h', asset), await stored(store, '1d', asset)];
    // Up to the last 8 hours of a day, which begin and end with blocks and with hours.
    assert.equal(await store.series('1m').dropBefore((MINUTE + 1000) as Period), 961);
    assert.deepEqual([...(await stored(store, '1m', asset)).keys()], [...minutes.keys()].slice(960));
    assert.deepEqual(await stored(store, '1m', other), new Map());
    assert.deepEqual(await stored(store, '1h', asset), hours);
    await put(store, '1m', asset, new Map([[MINUTE + 30, { close: 999 }]]));
    assert.deepEqual(await stored(store, '1h', asset), hours);
    assert.deepEqual(await stored(store, '1d', asset), days);
    await put(store, '1m', asset, new Map([[MINUTE + 1999, { close: 5000 }]]));
    assert.equal((await stored(store, '1h', asset)).get(HOUR + 33)?.close, 5000);
    assert.equal(await store.series('1m').dropBefore((MINUTE + 960) as Period), 1, 'the one that came again');
    await store.checkIntegrity();
    const [kept] = await store.intervals();
    assert.deepEqual(kept, {
      ...{ interval: '1m', bars: 1040, first: MINUTE + 960, last: MINUTE + 1999 },
      droppedBefore: MINUTE + 960,
    });
    await assert.rejects(store.series('1d').dropBefore(DAY as Period));
  });

  test('an interval has the bars of all assets in its totals', async () => {
    const store = await use().fresh();
    const none = { bars: 0, first: null, last: null, droppedBefore: null };
    const all = ['1m', '1h', '1d'] as const;
    assert.deepEqual(
      await store.intervals(),
      all.map(interval => ({ interval, ...none })),
    );
    const [asset, other] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    await put(
      store,
      '1h',
      asset,
      new Map([
        [HOUR, { close: 1 }],
        [HOUR + 30, { close: 2 }],
      ]),
    );
    await put(store, '1h', other, new Map([[HOUR - 1, { close: 1 }]]));
    assert.deepEqual(await store.intervals(), [
      { interval: '1m', ...none },
      { interval: '1h', bars: 3, first: HOUR - 1, last: HOUR + 30, droppedBefore: null },
      { interval: '1d', bars: 3, first: DAY - 1, last: DAY + 1, droppedBefore: null },
    ]);
  });

  test('what is published of an interval are the bars that were there, until the next publication', async () => {
    const store = await use().fresh();
    const [asset, other] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const series = store.series('1m');
    const published = async () => barsOf((await series.publishedBars(asset, 0 as Period, LAST_PERIOD as Period)).bars!);
    const before = new Map([
      [MINUTE + 1, { close: 1, high: 2 }],
      [MINUTE + 3, { close: 3 }],
    ]);
    await put(store, '1m', asset, before);
    assert.deepEqual(await published(), new Map());
    await clearPending(store);
    assert.deepEqual(await published(), before);
    const spans = await series.publishedSpans();
    assert.equal(spans.version, await store.version());
    assert.deepEqual(
      [[...spans.assetNumber], [...spans.first], [...spans.last]],
      [[asset], [MINUTE + 1], [MINUTE + 3]],
    );
    await put(store, '1m', asset, new Map([0, 2, 4].map(i => [MINUTE + i, { close: 9 }])));
    await put(store, '1m', asset, new Map([[MINUTE + 3, { close: 8 }]]));
    await put(store, '1m', other, new Map([[MINUTE, { close: 1 }]]));
    assert.deepEqual(await published(), before);
    assert.deepEqual(await store.pending(), [asset, other]);
    const { closes } = await series.publishedCloses(asset, 0 as Period, LAST_PERIOD as Period);
    assert.deepEqual([...closes!.close], [1, 3]);
    await clearPending(store);
    assert.deepEqual(
      [...(await published()).values()].map(bar => bar.close),
      [9, 1, 9, 8, 9],
    );
  });

  test('closes and bars of fine intervals carry the last close over gaps, however long', async () => {
    const { store } = use();
    const [asset, dense] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const bars = new Map(
      [0, 1, 5000, 5003, 9000].map((at, i) => [
        MINUTE + at,
        { close: i + 1, high: i + 2, low: i + 0.5, open: i + 1, volume: 1 },
      ]),
    );
    await put(store, '1m', asset, bars);
    await put(store, '1m', dense, new Map(Array.from({ length: 300 }, (_, i) => [MINUTE + i, { close: 1 + i }])));
    const series = store.series('1m');
    for (const [until, days, last] of [
      [9000, 10, 9000],
      [8999, 10, 5003],
      [8999, 5002, 5003],
      [5002, 3, 5000],
      [4999, 4000, 1],
      [1, 400, 1],
      [0, 5, 0],
      [-1, 5, null],
    ] as const) {
      const moment = (MINUTE + until) as Period;
      const { starts, close, lastDay } = await series.closes([asset, dense], days, moment);
      const expected: number[] = [];
      if (last !== null) {
        assert.equal(lastDay[0], MINUTE + last);
        for (let at = Math.max(0, last - days); at <= last; at++) {
          const newest = [...bars].findLast(([period]) => period <= MINUTE + at)!;
          expected.push(newest[1].close);
        }
      }
      assert.deepEqual([...close.subarray(starts[0], starts[1])], expected, `until ${until}`);
      const batch = await series.dailyBars([asset, dense], days, moment);
      assert.deepEqual([...batch.close], [...close]);
      for (let at = 0; at < expected.length; at++) {
        const bar = bars.get(MINUTE + last! - expected.length + 1 + at);
        assert.equal(batch.high[at], bar?.high ?? expected[at]);
        assert.equal(batch.volume[at], bar === undefined ? 0 : 1);
      }
    }
  });
}

// The store's contract: served bars made of several sources by the price rule, within the publication. TIDEMARK_MERGE_ASSETS and
// TIDEMARK_MERGE_PERIODS set the size of the comparison with DuckDB; the long form has 1,000 assets and 400 days.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import { BASE_INTERVALS, LAST_PERIOD, type Period } from '../../src/domain/interval.ts';
import { BAR_NUMBERS, type SourceBars } from '../../src/domain/source-bars.ts';
import { SourceRoutes } from '../../src/ingest/source-routes.ts';
import type { PriceRule } from '../../src/publish/price-rule.ts';
import { storePriceRules } from '../../src/publish/price-rules.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { readSources, separate, sourcesOf } from '../../src/publish/sources-of.ts';
import type { Store, StoredBars } from '../../src/store/store.ts';
import { medianInDuckDb, type Numbers, randomSources } from '../support/median-oracle.ts';
import { batch, DAY } from './fixtures.ts';
import { Chance } from './query/chance.ts';
import type { Subject } from './store.ts';
import { newAssets, stored } from './store-bars.ts';
import { barsOf, batchOf, HOUR, MINUTE } from './store-series.ts';

const ASSETS = Number(process.env['TIDEMARK_MERGE_ASSETS'] ?? 12);
const PERIODS = Number(process.env['TIDEMARK_MERGE_PERIODS'] ?? 90);
/** Bars per batch. */
const BATCH = 50_000;

async function put(store: Store, source: string, bars: StoredBars): Promise<number> {
  const load = await store.beginLoad(source);
  await SourceRoutes.put(store, source, '1d', bars, load);
  return load;
}

const daily = (assetNumber: AssetNumber, closes: Readonly<Record<number, number>>, more = {}) =>
  batch(Object.entries(closes).map(([day, close]) => ({ assetNumber, day: Number(day), close, ...more })));

async function closesOf(store: Store, asset: AssetNumber): Promise<Record<number, number>> {
  return Object.fromEntries((await stored(store, asset)).map(({ day, close }) => [day, close]));
}

async function setRule(store: Store, rule: PriceRule, ofAssets: ReadonlyMap<string, PriceRule> = new Map()) {
  return storePriceRules(store, { ofAll: rule, ofAssets });
}

/** Everything that can be served of these assets. */
async function served(store: Store, assets: readonly AssetNumber[]) {
  const all: unknown[] = [];
  for (const asset of assets) {
    for (const interval of BASE_INTERVALS) {
      const series = store.series(interval);
      all.push(await series.bars(asset, 0 as Period, LAST_PERIOD as Period), await series.origins(asset));
    }
  }
  const { rows } = await store.currentSince(0);
  return { all, rows: rows.map(({ assetNumber, day, price, values }) => ({ assetNumber, day, price, values })) };
}

/** One batch after the other, in days' order like a file of all assets. */
async function putSource(store: Store, source: string, assets: readonly AssetNumber[], of: readonly SourceBars[]) {
  const rows = of.flatMap((bars, asset) => Array.from(bars.period, (period, i) => ({ asset, period, i, bars })));
  rows.sort((a, b) => a.period - b.period);
  for (let from = 0; from < rows.length; from += BATCH) {
    const part = rows.slice(from, from + BATCH);
    const column = (name: (typeof BAR_NUMBERS)[number]) => Float64Array.from(part, ({ bars, i }) => bars[name][i]!);
    await put(store, source, {
      count: part.length,
      assetNumber: Uint32Array.from(part, ({ asset }) => assets[asset]!),
      day: Int32Array.from(part, ({ period }) => DAY + period),
      ...{ open: column('open'), high: column('high'), low: column('low'), close: column('close') },
      volume: column('volume'),
    });
  }
}

export function mergeContract(use: () => Subject): void {
  test('the median of five sources with holes is that of DuckDB, also after the rule was changed and changed back', async () => {
    const store = await use().fresh();
    const chance = new Chance(31);
    const assets = await newAssets(store, ASSETS);
    const sources = assets.map(() => randomSources(chance, 1, 5, PERIODS));
    const expected = await medianInDuckDb(sources);
    for (let source = 0; source < 5; source++) {
      const name = `s${source}`;
      await putSource(
        store,
        name,
        assets,
        sources.map(own => own[source]!),
      );
      if (source === 2) await recomputePending(store);
    }
    await recomputePending(store);
    const byPriority = await served(store, assets);
    const median: PriceRule = { kind: 'median', order: [] };
    assert.equal(await setRule(store, median), true);
    assert.equal(await setRule(store, median), false);
    await recomputePending(store);
    let count = 0;
    for (const [i, asset] of assets.entries()) {
      const bars = await store.bars(asset, FIRST_DAY, LAST_DAY);
      for (const [at, day] of bars.day.entries()) {
        const numbers: Numbers = expected.get(`${i} ${day - DAY}`)!;
        for (const name of BAR_NUMBERS) {
          if (!Object.is(bars[name][at], numbers[name]))
            assert.fail(`asset ${i}, period ${day - DAY}: ${name} ${bars[name][at]}, not ${numbers[name]}`);
        }
        count++;
      }
    }
    assert.equal(count, expected.size);
    assert.deepEqual(await store.unmerged(), []);
    assert.deepEqual(await store.pending(), []);
    await store.checkIntegrity();
    await setRule(store, { kind: 'priority', order: [] });
    await recomputePending(store);
    assert.deepEqual(await served(store, assets), byPriority);
  });

  test('the first source of the order that has a period decides; others come by their first load', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const first = await put(store, 'csv', daily(a, { 0: 1, 1: 2 }, { volume: 5 }));
    await put(store, 'kraken', daily(a, { 1: 20, 2: 30 }));
    const third = await put(store, 'binance', daily(a, { 0: 100, 2: 300, 3: 400 }));
    await put(store, 'binance', daily(b, { 0: 7 }));
    await recomputePending(store);
    assert.deepEqual(await closesOf(store, a), { 0: 1, 1: 2, 2: 30, 3: 400 });
    await setRule(store, { kind: 'priority', order: ['binance', 'kraken'] });
    await recomputePending(store);
    assert.deepEqual(await closesOf(store, a), { 0: 100, 1: 20, 2: 300, 3: 400 });
    assert.deepEqual((await store.origins(a)).get(DAY), third);
    const { volume } = await store.bars(a, FIRST_DAY, LAST_DAY);
    assert.deepEqual(
      [...volume],
      [Number.NaN, Number.NaN, Number.NaN, Number.NaN],
      'numbers of the other source are gone',
    );
    const id = (await store.assets()).find(({ assetNumber }) => assetNumber === a)!.id;
    await setRule(store, { kind: 'priority', order: [] }, new Map([[id, { kind: 'median', order: [] }]]));
    await recomputePending(store);
    assert.deepEqual(await closesOf(store, a), { 0: 50.5, 1: 11, 2: 165, 3: 400 });
    assert.deepEqual((await store.origins(a)).get(DAY), first, 'of two that decide, the origin is that of the first');
    const names = (await sourcesOf(store, [a, b])).values().map(own => own.map(each => [each.name, each.separate]));
    assert.deepEqual(
      [...names],
      [
        [
          ['csv', true],
          ['kraken', true],
          ['binance', true],
        ],
        [['binance', false]],
      ],
    );
  });

  test('within one source the later load wins, and a source that takes its bars back leaves those of the others', async () => {
    const store = await use().fresh();
    const [a] = (await newAssets(store, 1)) as [AssetNumber];
    await put(store, 'csv', daily(a, { 0: 1, 1: 2 }));
    await put(store, 'csv', daily(a, { 1: 3 }));
    assert.deepEqual(await store.sources(), [{ assetNumber: a, name: 'csv', firstLoad: 1, separate: false }]);
    const other = await put(store, 'kraken', daily(a, { 1: 9, 2: 9 }));
    await put(store, 'csv', daily(a, { 0: 4 }));
    await recomputePending(store);
    assert.deepEqual(await closesOf(store, a), { 0: 4, 1: 3, 2: 9 });
    for (const [source, places] of await store.sourceBarsOfLoad('1d', other)) {
      assert.equal(await store.removeSourceBars(source, '1d', places), 2);
    }
    await recomputePending(store);
    assert.deepEqual(await closesOf(store, a), { 0: 4, 1: 3 });
  });

  test('an asset of an older store has the sources that its loads name, and keeps what is served', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    const loads = [await store.beginLoad('csv prices.csv'), await store.beginLoad('ccxt:kraken 1m')];
    await store.putBars(daily(a, { 0: 1, 1: 2, 2: 3 }), loads[0]);
    await store.series('1m').putBars(batchOf(a, new Map([[MINUTE + 1445, { close: 8, high: 9 }]])), loads[1]);
    await store.putBars(daily(a, { 2: 5 }), loads[1]);
    await store.putBars(daily(b, { 0: 1 }), loads[1]);
    await store.putBars(daily(b, { 1: 1 }));
    await recomputePending(store);
    const before = await served(store, [a, b]);
    const named = async () =>
      Array.from(await sourcesOf(store, [a, b]), ([asset, own]) => [asset, own.map(({ name }) => name)]);
    const expected = [
      [a, ['csv', 'kraken']],
      [b, ['kraken']],
    ];
    assert.deepEqual(await named(), expected);
    const [csv, kraken] = await readSources(store, a, '1d', 0, LAST_PERIOD);
    assert.deepEqual([[...csv!.close], [...kraken!.close]], [[1, 2], [5]]);
    await separate(store, a);
    await separate(store, b);
    assert.deepEqual(await named(), expected);
    await store.markUnmerged(
      [a, b].flatMap(assetNumber => BASE_INTERVALS.map(interval => ({ assetNumber, interval, firstPeriod: 0 }))),
    );
    await recomputePending(store);
    assert.deepEqual(await served(store, [a, b]), before);
    await put(store, 'kraken', daily(a, { 1: 100, 3: 100 }));
    await recomputePending(store);
    assert.deepEqual(await closesOf(store, a), { 0: 1, 1: 2, 2: 5, 3: 100 });
  });

  test('minutes of two sources are served side by side with their own hours and days', async () => {
    const store = await use().fresh();
    const [a] = (await newAssets(store, 1)) as [AssetNumber];
    const minutes = async (source: string, closes: Readonly<Record<number, number>>) => {
      const bars = new Map(Object.entries(closes).map(([minute, close]) => [MINUTE + Number(minute), { close }]));
      await SourceRoutes.put(store, source, '1m', batchOf(a, bars), await store.beginLoad(source));
    };
    await minutes('kraken', { 0: 1, 61: 2 });
    await minutes('binance', { 1: 10, 59: 11, 130: 12 });
    await recomputePending(store);
    const all = async (interval: '1m' | '1h' | '1d', start: number) =>
      Array.from(
        barsOf(await store.series(interval).bars(a, 0 as Period, LAST_PERIOD as Period)),
        ([period, { close }]) => [period - start, close],
      );
    assert.deepEqual(await all('1m', MINUTE), [
      [0, 1],
      [1, 10],
      [59, 11],
      [61, 2],
      [130, 12],
    ]);
    assert.deepEqual(await all('1h', HOUR), [
      [0, 1],
      [1, 2],
      [2, 12],
    ]);
    assert.deepEqual(await all('1d', MINUTE / 1440), [[0, 2]]);
    await store.checkIntegrity();
  });

  test('corrections and actions are served, and without them everything is as before', async () => {
    const store = await use().fresh();
    const [old, now, other] = (await newAssets(store, 3)) as [AssetNumber, AssetNumber, AssetNumber];
    await put(store, 'csv', daily(old, { 0: 1, 1: 2, 2: 3 }, { volume: 10 }));
    await put(store, 'csv', daily(now, { 3: 4000, 4: 5000 }, { volume: 1 }));
    await put(store, 'csv', daily(other, { 0: 1 }));
    await recomputePending(store);
    const all = [old, now, other];
    const before = await served(store, all);
    const nothing = { open: null, high: null, low: null, volume: null, reason: 'test' };
    const wrong = { assetNumber: old, interval: '1d' as const, period: DAY + 1, ...nothing };
    const migration = { assetNumber: now, day: DAY + 3, ratio: 1000, fromAsset: old, reason: 'test' };
    const first = await store.addCorrection({ ...wrong, close: 2.5 });
    await recomputePending(store);
    assert.deepEqual(await closesOf(store, old), { 0: 1, 1: 2.5, 2: 3 });
    const [action] = await store.addActions([migration]);
    await recomputePending(store);
    assert.deepEqual(await closesOf(store, now), { 0: 1000, 1: 2500, 2: 3000, 3: 4000, 4: 5000 });
    // The old asset goes on to change: so does the one that it became.
    await put(store, 'csv', daily(old, { 2: 7 }));
    const drop = await store.addCorrection({ ...wrong, period: DAY, close: null });
    await recomputePending(store);
    assert.deepEqual(await closesOf(store, now), { 1: 2500, 2: 7000, 3: 4000, 4: 5000 });
    await put(store, 'csv', daily(old, { 2: 3 }));
    for (const number of [first, drop]) await store.undoCorrection(number);
    await store.removeAction(action!);
    await recomputePending(store);
    const after = await served(store, all);
    assert.deepEqual(after.rows, before.rows);
    // The origin of the close that came twice is that of the last load.
    for (const i of [0, 2, 4, 6, 8, 10, 12, 14, 16]) assert.deepEqual(after.all[i], before.all[i]);
    await store.checkIntegrity();
  });
}

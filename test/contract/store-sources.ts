// The store's contract: bars of several sources of an asset, side by side, and served bars that are written exactly.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { BASE_INTERVALS, type BaseInterval, LAST_PERIOD, type Period } from '../../src/domain/interval.ts';
import { loadOf } from '../../src/store/port/origins.ts';
import type { Store } from '../../src/store/store.ts';
import type { Subject } from './store.ts';
import { clearPending, newAssets } from './store-bars.ts';
import { type Bar, type Bars, barsOf, batchOf, DAY, HOUR, MINUTE, Model, START, steps } from './store-series.ts';

const NAMES = ['kraken', 'binance', 'csv'] as const;

async function stored(
  store: Store,
  asset: AssetNumber,
  interval: BaseInterval,
): Promise<Record<string, Map<number, Bar>>> {
  const found = (await store.sourceBars([asset], interval, 0, LAST_PERIOD)).get(asset)!;
  return Object.fromEntries(
    found.map(({ source, period, ...numbers }) => [source, barsOf({ day: period, ...numbers })]),
  );
}

async function put(store: Store, source: string, interval: BaseInterval, asset: AssetNumber, bars: Bars, load = 0) {
  return store.putSourceBars(source, interval, batchOf(asset, bars), load);
}

const places = (asset: AssetNumber, periods: readonly number[]) => ({
  assetNumber: new Uint32Array(periods.length).fill(asset),
  day: Int32Array.from(periods),
});

async function unmergedOf(store: Store, asset: AssetNumber): Promise<Record<string, number>> {
  const own = (await store.unmerged()).filter(({ assetNumber }) => assetNumber === asset);
  return Object.fromEntries(own.map(({ interval, firstPeriod }) => [interval, firstPeriod]));
}

export function sourceContract(use: () => Subject): void {
  test('sources stand side by side, each with its own hours and days, in whatever order all of it comes and goes', async () => {
    const store = await use().fresh();
    const ofSources = fc.array(fc.tuple(fc.constantFrom(...NAMES), steps), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(ofSources, async taken => {
        const [asset] = (await newAssets(store, 1)) as [AssetNumber];
        const models = new Map(NAMES.map(name => [name, new Model()]));
        for (const [name, own] of taken) {
          const model = models.get(name)!;
          for (const step of own) {
            if (step.kind === 'put') {
              const { inserted, replaced, unchanged } = await put(store, name, step.interval, asset, step.bars);
              assert.equal(inserted + replaced + unchanged, step.bars.size);
              model.put(step.interval, step.bars);
              continue;
            }
            const loaded = model.loaded[step.interval];
            const periods = new Set(step.offsets.map(offset => START[step.interval] + offset));
            const known = [...periods].filter(period => loaded.has(period));
            assert.equal(await store.removeSourceBars(name, step.interval, places(asset, known)), known.length);
            for (const period of known) loaded.delete(period);
          }
        }
        for (const interval of BASE_INTERVALS) {
          const expected = Array.from(models, ([name, model]) => [name, model.all()[interval]] as const);
          const withBars = expected.filter(([, bars]) => bars.size > 0);
          assert.deepEqual(await stored(store, asset, interval), Object.fromEntries(withBars), interval);
          assert.equal((await store.series(interval).bars(asset, 0 as Period, LAST_PERIOD as Period)).day.length, 0);
          for (const [name, bars] of expected) {
            const periods = [...bars.keys()];
            const span = periods.length === 0 ? null : { first: periods[0], last: periods.at(-1) };
            assert.deepEqual(await store.sourceSpan(asset, name, interval), span);
          }
        }
      }),
      { numRuns: 40 },
    );
    await store.checkIntegrity();
  });

  test('a bar of a source makes its asset pending and unmerged from there on, also that of the coarser intervals', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    await clearPending(store);
    await put(store, 'kraken', '1m', a, new Map([[MINUTE + 70, { close: 1 }]]), 3);
    assert.deepEqual(await store.pending(), [a]);
    assert.deepEqual(await unmergedOf(store, a), { '1m': MINUTE + 70, '1h': HOUR + 1, '1d': DAY });
    await put(store, 'kraken', '1m', a, new Map([[MINUTE + 90, { close: 1 }]]), 4);
    await put(store, 'csv', '1d', a, new Map([[DAY - 5, { close: 1 }]]), 5);
    assert.deepEqual(await unmergedOf(store, a), { '1m': MINUTE + 70, '1h': HOUR + 1, '1d': DAY - 5 });
    await store.forgetUnmerged([{ assetNumber: a, interval: '1d', firstPeriod: DAY }]);
    assert.deepEqual(await unmergedOf(store, a), { '1m': MINUTE + 70, '1h': HOUR + 1 });
    await clearPending(store);
    await put(store, 'csv', '1d', a, new Map([[DAY - 5, { close: 1 }]]), 6);
    assert.deepEqual([await store.pending(), await unmergedOf(store, b)], [[], {}], 'the same bar changes nothing');
    assert.deepEqual(await store.sources(), [
      { assetNumber: a, name: 'kraken', firstLoad: 3, separate: true },
      { assetNumber: a, name: 'csv', firstLoad: 5, separate: true },
    ]);
    await assert.rejects(put(store, 'csv', '1d', 1e8 as AssetNumber, new Map([[DAY, { close: 1 }]])), {
      code: 'unknown_asset',
    });
  });

  test('the bars of a source that a load delivered are found by it', async () => {
    const store = await use().fresh();
    const [a, b] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
    await put(store, 'kraken', '1d', a, new Map([0, 1, 40].map(day => [DAY + day, { close: 1 }])), 7);
    await put(store, 'kraken', '1d', b, new Map([[DAY, { close: 1 }]]), 7);
    await put(store, 'kraken', '1d', a, new Map([[DAY + 1, { close: 2 }]]), 8);
    await put(store, 'csv', '1d', a, new Map([[DAY + 1, { close: 2 }]]), 8);
    const found = async (load: number) =>
      Object.fromEntries(
        Array.from(await store.sourceBarsOfLoad('1d', load), ([source, { assetNumber, day, replaced }]) => [
          source,
          Array.from(day, (each, i) => [assetNumber[i], each - DAY, replaced[i]]),
        ]),
      );
    assert.deepEqual(await found(7), {
      kraken: [
        [a, 0, 0],
        [a, 40, 0],
        [b, 0, 0],
      ],
    });
    assert.deepEqual(await found(8), { kraken: [[a, 1, 1]], csv: [[a, 1, 0]] });
    assert.deepEqual(await found(9), {});
  });

  test('old bars of sources can be dropped; what was made of them stays', async () => {
    const store = await use().fresh();
    const [a] = (await newAssets(store, 1)) as [AssetNumber];
    await put(
      store,
      'kraken',
      '1m',
      a,
      new Map(Array.from({ length: 2000 }, (_, i) => [MINUTE + i, { close: 1 + i }])),
    );
    const [hours, days] = [await stored(store, a, '1h'), await stored(store, a, '1d')];
    await store.dropSourceBars('1m', MINUTE + 1000);
    assert.equal((await store.sourceSpan(a, 'kraken', '1m'))?.first, MINUTE + 960);
    await put(store, 'kraken', '1m', a, new Map([[MINUTE + 30, { close: 999 }]]));
    assert.deepEqual([await stored(store, a, '1h'), await stored(store, a, '1d')], [hours, days]);
  });

  test('the only source of all assets is known as long as there is no other and none is kept apart', async () => {
    const store = await use().fresh();
    const [a, b, c] = (await newAssets(store, 3)) as [AssetNumber, AssetNumber, AssetNumber];
    assert.equal(await store.onlySource(), null);
    await store.putSources([a, b].map(assetNumber => ({ assetNumber, name: 'csv', firstLoad: 1 })));
    assert.deepEqual(await store.onlySource(), { name: 'csv', assets: 2 });
    await store.putSources([{ assetNumber: c, name: 'kraken', firstLoad: 2 }]);
    assert.equal(await store.onlySource(), null);
    await store.forgetSources(c);
    assert.deepEqual(await store.onlySource(), { name: 'csv', assets: 2 });
    await store.separateSources(a, [{ name: 'csv', firstLoad: 1, bars: {} }]);
    assert.equal(await store.onlySource(), null);
  });

  test('what a source was before its bars are kept apart stays with them', async () => {
    const store = await use().fresh();
    const [a] = (await newAssets(store, 1)) as [AssetNumber];
    await store.putSources([{ assetNumber: a, name: 'csv', firstLoad: 2 }]);
    const days = batchOf(
      a,
      new Map([
        [DAY, { close: 1, high: 2 }],
        [DAY + 50, { close: 3 }],
      ]),
    );
    const bars = { '1d': { ...days, origin: Int32Array.of(2, -4) } };
    for (let time = 0; time < 2; time++) await store.separateSources(a, [{ name: 'csv', firstLoad: 2, bars }]);
    const [series] = (await store.sourceBars([a], '1d', DAY, DAY + 60)).get(a)!;
    assert.deepEqual([series!.source, [...series!.origin]], ['csv', [2, -4]]);
    assert.deepEqual(await stored(store, a, '1d'), { csv: barsOf(days) });
    assert.deepEqual(await store.sources([a]), [{ assetNumber: a, name: 'csv', firstLoad: 2, separate: true }]);
    assert.deepEqual(await store.unmerged(), []);
  });

  test('a range of served bars becomes exactly what is written to it, and published closes stay as they were', async () => {
    const store = await use().fresh();
    for (let load = 0; load < 9; load++) await store.beginLoad('test');
    const number = fc.integer({ min: 1, max: 9 });
    const bar = fc.record(
      { open: number, high: number, low: number, close: number, volume: number },
      { requiredKeys: ['close'], noNullPrototype: true },
    );
    const someBars = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 90 }), bar), { maxLength: 30 })
      .map(rows => new Map(rows));
    const range = fc.tuple(fc.integer({ min: -5, max: 95 }), fc.integer({ min: 0, max: 95 }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...BASE_INTERVALS),
        someBars,
        fc.array(fc.tuple(range, someBars), { minLength: 1, maxLength: 3 }),
        async (interval, before, replacements) => {
          const start = START[interval];
          const [a, other] = (await newAssets(store, 2)) as [AssetNumber, AssetNumber];
          const series = store.series(interval);
          const all = async (asset: AssetNumber) =>
            new Map(
              Array.from(barsOf(await series.bars(asset, 0 as Period, LAST_PERIOD as Period)), ([period, each]) => [
                period - start,
                each,
              ]),
            );
          const at = (bars: Bars) => new Map(Array.from(bars, ([offset, each]) => [start + offset, each]));
          for (const asset of [a, other]) await series.putBars(batchOf(asset, at(before)), 1);
          await clearPending(store);
          const expected = new Map(before);
          const origins = new Map(Array.from(before.keys(), offset => [offset, 1]));
          for (const [step, [[first, length], bars]] of replacements.entries()) {
            const [from, to] = [first, first + length];
            const given = new Map(
              [...bars].filter(([offset]) => offset >= from && offset <= to).sort(([x], [y]) => x - y),
            );
            for (const offset of [...expected.keys()]) if (offset >= from && offset <= to) expected.delete(offset);
            for (const [offset, each] of given) {
              expected.set(offset, each);
              origins.set(offset, step + 2);
            }
            const origin = new Int32Array(given.size).fill(step + 2);
            const [oldest, newest] = [(start + from) as Period, (start + to) as Period];
            await series.replaceBars([a], oldest, newest, { ...batchOf(a, at(given)), origin });
          }
          const sorted = new Map([...expected].sort(([x], [y]) => x - y));
          assert.deepEqual(await all(a), sorted);
          assert.deepEqual(await all(other), new Map([...before].sort(([x], [y]) => x - y)));
          assert.deepEqual(
            await series.origins(a),
            new Map(Array.from(sorted.keys(), offset => [start + offset, origins.get(offset)!])),
          );
          const loads = new Set(Array.from(sorted.keys(), offset => loadOf(origins.get(offset)!)));
          assert.deepEqual((await series.deliveringLoads([a])).get(a) ?? new Set(), loads);
          if (before.size > 0) {
            const offsets = [...before.keys()].sort((x, y) => x - y);
            const [oldest, newest] = [(start + offsets[0]!) as Period, (start + offsets.at(-1)!) as Period];
            const { closes } = await series.publishedCloses(a, oldest, newest);
            assert.deepEqual(
              Array.from(closes!.day, (period, i) => [period - start, closes!.close[i]]),
              offsets.map(offset => [offset, before.get(offset)!.close]),
            );
          }
          await clearPending(store);
        },
      ),
      { numRuns: 60, includeErrorInReport: true },
    );
    await store.checkIntegrity();
  });
}

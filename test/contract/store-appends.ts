// The store's contract: bars of many assets that come period after period, which stores keep in another form than histories.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetNumber } from '../../src/domain/asset.ts';
import { BASE_INTERVALS, type BaseInterval, LAST_PERIOD, type Period } from '../../src/domain/interval.ts';
import { loadOf } from '../../src/store/port/origins.ts';
import type { Store, StoredBars } from '../../src/store/store.ts';
import { pick, type Random, uniform } from '../support/market.ts';
import type { Subject } from './store.ts';
import { clearPending, newAssets } from './store-bars.ts';
import { type Bar, type Bars, barsOf, batchOf, Model, START } from './store-series.ts';

/** More than two groups of 32, the first and last of them with fewer. */
const ASSETS = 70;
const INTERVALS = ['1m', '1h'] as const;
const NUMBERS = ['open', 'high', 'low', 'close', 'volume'] as const;
const ALL = [0 as Period, LAST_PERIOD as Period] as const;

function someBar(random: Random): Bar {
  // Sums of eighths are exact in any order.
  const number = () => (1 + Math.floor(80_000 * random())) / 8;
  const others = NUMBERS.filter(name => name !== 'close' && random() < 0.6).map(name => [name, number()]);
  return { close: number(), ...Object.fromEntries(others) };
}

function joined(batches: readonly StoredBars[]): StoredBars {
  const numbers = (name: (typeof NUMBERS)[number]) => Float64Array.from(batches.flatMap(batch => [...batch[name]]));
  return {
    count: batches.reduce((sum, { count }) => sum + count, 0),
    assetNumber: Uint32Array.from(batches.flatMap(batch => [...batch.assetNumber])),
    day: Int32Array.from(batches.flatMap(batch => [...batch.day])),
    ...{ open: numbers('open'), high: numbers('high'), low: numbers('low'), close: numbers('close') },
    volume: numbers('volume'),
  };
}

/** A store, and a model per asset. */
class Market {
  readonly store: Store;
  readonly assets: readonly AssetNumber[];
  readonly #random: Random;
  readonly #models = new Map<AssetNumber, Model>();
  /** By interval, asset and period. */
  readonly #loads = new Map<string, number>();
  /** The period behind the newest one. */
  readonly #ends: Record<BaseInterval, number> = { ...START };

  constructor(store: Store, assets: readonly AssetNumber[], random: Random) {
    this.store = store;
    this.assets = assets;
    this.#random = random;
    for (const asset of assets) this.#models.set(asset, new Model());
  }

  async change(): Promise<void> {
    const [kind, interval] = [this.#random(), pick(this.#random, INTERVALS)];
    if (kind < 0.55) await this.#append(interval);
    else if (kind < 0.7) await this.#replaceNewest(interval);
    else if (kind < 0.8) await this.#putHistory(interval);
    else if (kind < 0.9) await this.#putOld(interval);
    else await this.#remove(interval);
  }

  /** Some new periods of most assets, one after the other, as a market brings them. */
  async #append(interval: BaseInterval): Promise<void> {
    const share = pick(this.#random, [1, 0.9, 0.3, 0.05]);
    const gap = this.#random() < 0.1 ? Math.floor(400 * this.#random()) : 0;
    this.#ends[interval] += gap;
    for (let batches = 1 + Math.floor(60 * this.#random() ** 2); batches > 0; batches--) {
      const count = this.#random() < 0.9 ? 1 : 1 + Math.floor(12 * this.#random());
      const first = this.#ends[interval];
      this.#ends[interval] += count;
      await this.#put(
        interval,
        share,
        () => new Map(Array.from({ length: count }, (_, i) => [first + i, someBar(this.#random)])),
      );
    }
  }

  /** Of the period that is still running. */
  #replaceNewest(interval: BaseInterval): Promise<void> {
    const period = Math.max(START[interval], this.#ends[interval] - 1);
    return this.#put(interval, 0.8, () => new Map([[period, someBar(this.#random)]]));
  }

  #putHistory(interval: BaseInterval): Promise<void> {
    const first = this.#ends[interval] - 350 + Math.floor(300 * this.#random());
    const count = 1 + Math.floor(300 * this.#random());
    return this.#put(
      interval,
      1 / ASSETS,
      () =>
        new Map(
          Array.from({ length: count }, (_, i) => [first + i, someBar(this.#random)] as const).filter(
            () => this.#random() < 0.8,
          ),
        ),
    );
  }

  #putOld(interval: BaseInterval): Promise<void> {
    const period = () => this.#ends[interval] - 1 - Math.floor(250 * this.#random());
    const same = period();
    const isSame = this.#random() < 0.5;
    return this.#put(
      interval,
      pick(this.#random, [1, 0.2]),
      () => new Map([[isSame ? same : period(), someBar(this.#random)]]),
    );
  }

  async #put(interval: BaseInterval, share: number, barsFor: () => Bars): Promise<void> {
    const load = await this.store.beginLoad(`csv:${interval}`);
    const batches: StoredBars[] = [];
    for (const asset of this.assets) {
      if (this.#random() > share) continue;
      const bars = barsFor();
      if (bars.size === 0) continue;
      const { loaded } = this.#models.get(asset)!;
      for (const [period, { close }] of bars) {
        const name = `${interval} ${asset} ${period}`;
        if (loaded[interval].get(period)?.close !== close) this.#loads.set(name, load);
      }
      this.#models.get(asset)!.put(interval, bars);
      batches.push(batchOf(asset, bars));
    }
    await this.store.series(interval).putBars(joined(batches), load);
  }

  async #remove(interval: BaseInterval): Promise<void> {
    const places: [AssetNumber, number][] = [];
    const share = pick(this.#random, [1, 0.1]);
    for (const asset of this.assets) {
      if (this.#random() > share) continue;
      const { loaded } = this.#models.get(asset)!;
      const known = [...loaded[interval].keys()].sort((a, b) => b - a).slice(0, 300);
      const all = this.#random() < 0.05;
      for (const period of known) if (all || this.#random() < 0.02) places.push([asset, period]);
    }
    const removed = await this.store.series(interval).removeBars({
      assetNumber: Uint32Array.from(places, ([asset]) => asset),
      day: Int32Array.from(places, ([, period]) => period),
    });
    assert.equal(removed, places.length);
    for (const [asset, period] of places) {
      this.#models.get(asset)!.loaded[interval].delete(period);
      this.#loads.delete(`${interval} ${asset} ${period}`);
    }
  }

  async compare(): Promise<void> {
    const expected = new Map(this.assets.map(asset => [asset, this.#models.get(asset)!.all()]));
    for (const interval of BASE_INTERVALS) {
      const series = this.store.series(interval);
      const all = new Map<AssetNumber, Bars>();
      for (const asset of this.assets) {
        const own = expected.get(asset)![interval];
        all.set(asset, new Map([...own].sort(([a], [b]) => a - b)));
        assert.deepEqual(barsOf(await series.bars(asset, ...ALL)), all.get(asset), `${interval} of ${asset}`);
      }
      await this.#compareWindows(interval, all);
      if (interval !== '1d') await this.#compareOrigins(interval);
    }
    await this.store.readConsistently(async view => {
      for (const asset of this.assets.slice(0, 40)) {
        const found = barsOf(await view.series('1m').bars(asset, ...ALL));
        assert.equal(found.size, expected.get(asset)!['1m'].size);
      }
    });
    await this.store.checkIntegrity();
  }

  /** What is read of many assets at once. */
  async #compareWindows(interval: BaseInterval, all: ReadonlyMap<AssetNumber, Bars>): Promise<void> {
    const series = this.store.series(interval);
    const until = (this.#ends[interval] - Math.floor(200 * this.#random())) as Period;
    for (const [periods, end] of [
      [1, undefined],
      [150, undefined],
      [40, until],
    ] as const) {
      const { starts, close, lastDay } = await series.closes(this.assets, periods, end);
      const batch = await series.dailyBars(this.assets, periods, end);
      assert.deepEqual(batch.close, close);
      for (const [i, asset] of this.assets.entries()) {
        const known = [...all.get(asset)!].filter(([period]) => end === undefined || period <= end);
        const found = [...close.subarray(starts[i], starts[i + 1])];
        const last = known.at(-1)?.[0];
        if (last === undefined) {
          assert.deepEqual(found, []);
          continue;
        }
        assert.equal(lastDay[i], last);
        const first = Math.max(known[0]![0], last - periods);
        const wanted: number[] = [];
        for (let period = first, at = 0, carried = 0; period <= last; period++) {
          while (at < known.length && known[at]![0] <= period) carried = known[at++]![1].close;
          wanted.push(carried);
        }
        assert.deepEqual(found, wanted, `${interval} of ${asset}, ${periods} before ${end}`);
        const highs = [...batch.high.subarray(starts[i], starts[i + 1])];
        const expected = wanted.map((carried, at) => {
          const bar = all.get(asset)!.get(first + at);
          return bar === undefined ? carried : (bar.high ?? Number.NaN);
        });
        assert.deepEqual(highs, expected);
      }
    }
    const from = this.assets.map(() => this.#ends[interval] - Math.floor(200 * this.#random()));
    const bars = await series.barsFrom(this.assets, from);
    for (const [i, asset] of this.assets.entries()) {
      const [start, end] = [bars.starts[i]!, bars.starts[i + 1]!];
      const known = [...all.get(asset)!].filter(([period]) => period >= from[i]!);
      assert.deepEqual(
        Array.from({ length: end - start }, (_, at) => [bars.day[start + at], bars.volume[start + at]]),
        known.map(([period, { volume }]) => [period, volume ?? Number.NaN]),
      );
    }
  }

  async #compareOrigins(interval: BaseInterval): Promise<void> {
    const series = this.store.series(interval);
    const delivering = await series.deliveringLoads(this.assets);
    for (const asset of this.assets) {
      const loads = new Set<number>();
      const origins = await series.origins(asset);
      for (const period of this.#models.get(asset)!.loaded[interval].keys()) {
        const load = this.#loads.get(`${interval} ${asset} ${period}`)!;
        assert.equal(loadOf(origins.get(period) ?? 0), load, `${interval} ${asset} ${period}`);
        loads.add(load);
      }
      if (interval === '1m' && loads.size > 0) assert.deepEqual(delivering.get(asset), loads);
    }
    const [name, load] = pick(this.#random, [...this.#loads, ['', 0] as const]);
    if (!name.startsWith(interval)) return;
    const found = await series.barsOfLoad(load);
    const places = Array.from(found.day, (period, i) => `${interval} ${found.assetNumber[i]} ${period}`);
    const wanted = [...this.#loads].filter(([, own]) => own === load).map(([place]) => place);
    assert.deepEqual(places.sort(), wanted.sort());
  }
}

export function appendContract(use: () => Subject, seeds: readonly number[]): void {
  for (const seed of seeds) {
    test(`bars of many assets that come and go, period after period, are there as they were put (seed ${seed})`, async () => {
      const store = await use().fresh();
      const random = uniform(seed);
      const market = new Market(store, await newAssets(store, ASSETS), random);
      for (let round = 0; round < 40; round++) {
        await market.change();
        if (round % 8 === 7) await market.compare();
        if (random() < 0.3) await clearPending(store);
      }
      await market.compare();
    });
  }

  test('old bars of many assets can be dropped, also the newest of some', async () => {
    const store = await use().fresh();
    const assets = await newAssets(store, ASSETS);
    const series = store.series('1m');
    const minute = START['1m'];
    // The first ones end early: all of a group, whose newest bars are dropped too.
    const early = assets.slice(0, 31);
    const countOf = (asset: AssetNumber) => (early.includes(asset) ? 300 : 1000);
    for (let i = 0; i < 1000; i += 4) {
      const bars = (asset: AssetNumber) =>
        new Map([0, 1, 2, 3].map(more => [minute + i + more, { close: asset + i + more }]));
      await series.putBars(
        joined(assets.filter(asset => i < countOf(asset)).map(asset => batchOf(asset, bars(asset)))),
      );
    }
    const boundary = minute + 480;
    const dropped = await series.dropBefore((boundary + 7) as Period);
    assert.equal(dropped, (ASSETS - early.length) * 480 + 300 * early.length);
    for (const asset of assets) {
      const { day, close } = await series.bars(asset, ...ALL);
      assert.equal(day.length, Math.max(0, countOf(asset) - 480));
      if (day.length > 0) assert.deepEqual([day[0], close[0]], [boundary, asset + 480]);
    }
    await store.checkIntegrity();
    const [totals] = await store.intervals();
    assert.deepEqual(
      [totals?.bars, totals?.first, totals?.last],
      [(ASSETS - early.length) * 520, boundary, minute + 999],
    );
  });
}

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { draft } from '../../test/contract/fixtures.ts';
import { pick, plainTable, type Random, uniform } from '../../test/support/market.ts';
import { activePeriods } from '../domain/active-periods.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { barColumns } from '../domain/bar.ts';
import { BASE_INTERVALS, type BaseInterval, type ListedInterval, type Period } from '../domain/interval.ts';
import { recomputePending } from '../publish/publish-pending.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { pastSnapshot } from './past-snapshot.ts';
import { UpdatedListing } from './updated-listing.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-updated-'));
after(() => rmSync(folder, { recursive: true }));

/** 2024-03-01T00:00Z in days, hours and minutes. */
const START: Readonly<Record<BaseInterval, number>> = { '1d': 19_783, '1h': 24 * 19_783, '1m': 1440 * 19_783 };
const INTERVALS: readonly ListedInterval[] = ['1m', '15m', '1h', '4h', '1w'];
const SYMBOLS = ['BTC', 'ETH', 'SOL', 'DOT'];

async function freshStore(name: string): Promise<{ store: Store; assets: AssetNumber[] }> {
  const store = await openStore(`sqlite:${join(folder, `${name}.db`)}`);
  const assets = await store.putAssets(SYMBOLS.map((symbol, i) => draft(`coin-${i}`, { symbol, rank: i + 1 })));
  return { store, assets };
}

async function put(store: Store, base: BaseInterval, asset: AssetNumber, closes: ReadonlyMap<number, number>) {
  const bars = barColumns(closes.size);
  for (const column of [bars.open, bars.high, bars.low, bars.volume]) column.fill(Number.NaN);
  bars.day.set([...closes.keys()]);
  bars.close.set([...closes.values()]);
  await store
    .series(base)
    .putBars({ ...bars, count: closes.size, assetNumber: new Uint32Array(closes.size).fill(asset) });
}

/** One change of an asset's bars: the next periods, or one somewhere, or some that are taken out. */
async function change(
  store: Store,
  random: Random,
  assets: readonly AssetNumber[],
  ends: Record<BaseInterval, number>,
) {
  const [asset, base] = [pick(random, assets), pick(random, BASE_INTERVALS)];
  const [kind, end] = [random(), ends[base]];
  const close = () => 100 * Math.exp(random());
  if (kind < 0.6) {
    const count = 1 + Math.floor(random() ** 3 * 500);
    const gap = random() < 0.2 ? Math.floor(random() * 40) : 0;
    await put(store, base, asset, new Map(Array.from({ length: count }, (_, i) => [end + gap + i, close()])));
    ends[base] = end + gap + count;
  } else if (kind < 0.85) {
    const place = START[base] - 50 + Math.floor(random() * (end - START[base] + 50));
    await put(store, base, asset, new Map([[place, close()]]));
  } else {
    const first = kind < 0.97 ? end - 1 - Math.floor(random() * 60) : 0;
    const { day } = await store.series(base).bars(asset, first as Period, end as Period);
    if (day.length > 0 && day.length < 400)
      await store.series(base).removeBars({ assetNumber: new Uint32Array(day.length).fill(asset), day });
  }
}

describe('the newest listing of an interval, updated after each publication', () => {
  for (const [seed, maxBytes] of [
    [1, 1e6],
    [2, 1e6],
    [3, 1e6],
    // Windows for two assets.
    [4, 6000],
    [5, 0],
  ] as const) {
    it(`is the one that is built of all bars, whatever changes (seed ${seed}, ${maxBytes} bytes)`, async () => {
      const { store, assets } = await freshStore(`seed-${seed}`);
      const random = uniform(seed);
      const ends = { ...START };
      const listings = INTERVALS.map(interval => ({
        interval,
        updated: new UpdatedListing(interval, activePeriods()[interval], maxBytes),
      }));
      for (let round = 0; round < 60; round++) {
        for (let i = 1 + Math.floor(random() * 3); i > 0; i--) await change(store, random, assets, ends);
        await recomputePending(store);
        if (random() < 0.1)
          await store.putAssets([draft('coin-1', { symbol: 'ETH', rank: 1 + Math.floor(random() * 9) })]);
        // A load that is not published yet.
        if (random() < 0.4) await change(store, random, assets, ends);
        for (const { interval, updated } of listings) {
          if (random() < 0.3) continue;
          const past = { interval, day: null, optional: false, inactive: false };
          const whole = await pastSnapshot(store, past);
          const found = await updated.next(store);
          assert.equal(found.version, whole.version);
          for (const name of ['ta-cur', 'assets'] as const) {
            assert.deepEqual(
              plainTable(found.tables[name]),
              plainTable(whole.tables[name]),
              `${interval}, ${name}, ${round}`,
            );
          }
        }
      }
      await store.close();
    });
  }

  it('begins anew after it has failed', async () => {
    const { store, assets } = await freshStore('failing');
    await put(store, '1h', assets[0]!, new Map([[START['1h'], 5]]));
    await recomputePending(store);
    const listing = new UpdatedListing('1h', 48, 1e6);
    await listing.next(store);
    await put(store, '1h', assets[0]!, new Map([[START['1h'] + 1, 6]]));
    await recomputePending(store);
    await assert.rejects(
      listing.next({
        readConsistently: work =>
          store.readConsistently(view =>
            work({
              ...view,
              assetsSince: () => {
                throw new Error('the store is away');
              },
            }),
          ),
      }),
      { message: 'the store is away' },
    );
    const { tables } = await listing.next(store);
    assert.deepEqual(
      plainTable(tables['ta-cur']).map(row => [row['price'], row['change1']]),
      [[6, 20]],
    );
    await store.close();
  });
});

// A store with bars of minutes, hours and days: some periods without bars, some bars without highs or volumes.

import type { BaseInterval } from '../../src/domain/interval.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import type { Store } from '../../src/store/store.ts';
import { draft } from '../contract/fixtures.ts';
import { type Bars, barsAround, thinned, withoutSome } from './oracle/bars.ts';
import { uniform } from './oracle/series.ts';

/** The first periods are after those of the longer interval, so that no bar is made of others where one is loaded. */
const SPANS: Readonly<
  Record<BaseInterval, { readonly start: string; readonly count: number; readonly millis: number }>
> = {
  '1d': { start: '2018-01-03T00:00Z', count: 2700, millis: 86_400_000 },
  '1h': { start: '2026-01-01T00:00Z', count: 1700, millis: 3_600_000 },
  '1m': { start: '2026-06-01T00:00Z', count: 900, millis: 60_000 },
};

export const SYMBOLS = ['BTC', 'GAPPY', 'BARE'] as const;
/** Milliseconds: after all bars. */
export const FINE_NOW: number = Date.parse('2026-06-03T12:00Z');

function barsOf(base: BaseInterval, asset: number): Bars {
  const { start, count, millis } = SPANS[base];
  const random = uniform(100 * asset + count);
  let price = 50 * asset;
  const closes = Array.from({ length: count }, () => (price *= Math.exp((random() - 0.5) * 0.05)));
  const complete = barsAround(closes, random, Date.parse(start) / millis);
  // Whole numbers add up alike in any order.
  const whole = { ...complete, volume: complete.volume.map(volume => Math.floor(volume ?? 0)) };
  if (asset === 1) return whole;
  const gaps = thinned(whole, i => i === count - 1 || (random() < 0.7 && i % 97 > 6));
  if (asset === 2) return gaps;
  return withoutSome(
    gaps,
    i => i % 41 === 5,
    i => i % 53 === 7,
  );
}

export async function putBars(store: Store, base: BaseInterval, assetNumber: number, bars: Bars): Promise<void> {
  const numbers = (values: readonly (number | null)[]) => Float64Array.from(values, value => value ?? Number.NaN);
  await store.series(base).putBars({
    count: bars.day.length,
    assetNumber: new Uint32Array(bars.day.length).fill(assetNumber),
    day: Int32Array.from(bars.day),
    open: numbers(bars.open),
    high: numbers(bars.high),
    low: numbers(bars.low),
    close: Float64Array.from(bars.close),
    volume: numbers(bars.volume),
  });
}

/** The assets have the numbers 1, 2 and 3. */
export async function fillFine(store: Store): Promise<void> {
  await store.putAssets(SYMBOLS.map((symbol, i) => draft(`${symbol.toLowerCase()}-coin`, { symbol, rank: i + 1 })));
  for (const base of ['1d', '1h', '1m'] as const) {
    for (const [i] of SYMBOLS.entries()) await putBars(store, base, i + 1, barsOf(base, i + 1));
  }
  await recomputePending(store);
}

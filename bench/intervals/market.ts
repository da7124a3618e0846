// A store whose assets have bars of days, hours and minutes, and the minutes that come later.

import type { AssetNumber } from '../../src/domain/asset.ts';
import { barColumns } from '../../src/domain/bar.ts';
import type { BaseInterval } from '../../src/domain/interval.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import type { Store, StoredBars } from '../../src/store/store.ts';
import { PLAIN_FACTS } from '../query/universe.ts';

/** The minutes begin at midnight, when the hours and days end: the store makes the later ones of the minutes. */
const MIDNIGHT = 20_270;
const MINUTES = 1440;
const FILLED: Readonly<
  Record<BaseInterval, { readonly end: number; readonly bars: number; readonly minutes: number }>
> = {
  '1d': { end: MIDNIGHT, bars: 400, minutes: 1440 },
  '1h': { end: 24 * MIDNIGHT, bars: 400, minutes: 60 },
  '1m': { end: 1440 * MIDNIGHT + MINUTES, bars: MINUTES, minutes: 1 },
};
/** The first minute that the store does not have. */
export const NEXT_MINUTE: number = FILLED['1m'].end;
const ASSETS_AT_ONCE = 100;

/** Every asset with 400 days, 400 hours and a day of minutes, published; returns their numbers. */
export async function fillIntervals(store: Store, assets: number): Promise<AssetNumber[]> {
  const drafts = Array.from({ length: assets }, (_, i) => ({
    id: `s${i}-asset-${i}`,
    symbol: `S${i}`,
    name: `Asset ${i}`,
    rank: i + 1,
    type: 'coin',
    ...PLAIN_FACTS,
  }));
  const assetNumbers = await store.putAssets(drafts);
  // As a load does; otherwise each check would look for the sources in all bars.
  await store.putSources(assetNumbers.map(assetNumber => ({ assetNumber, name: 'csv', firstLoad: 1 })));
  for (const base of ['1d', '1h', '1m'] as const) {
    const { end, bars, minutes } = FILLED[base];
    const periods = Array.from({ length: bars }, (_, i) => end - bars + i);
    for (let from = 0; from < assets; from += ASSETS_AT_ONCE) {
      await store.series(base).putBars(barsIn(periods, assetNumbers.slice(from, from + ASSETS_AT_ONCE), minutes));
    }
  }
  await recomputePending(store);
  return assetNumbers;
}

/** One bar of each of these assets in each of these periods, which are so many minutes long. */
export function barsIn(periods: readonly number[], assetNumbers: readonly AssetNumber[], minutes = 1): StoredBars {
  const count = periods.length * assetNumbers.length;
  const bars = { count, assetNumber: new Uint32Array(count), ...barColumns(count) };
  let at = 0;
  for (const assetNumber of assetNumbers) {
    for (const period of periods) {
      const close = closeOf(assetNumber, period);
      bars.assetNumber[at] = assetNumber;
      bars.day[at] = period;
      bars.open[at] = 0.999 * close;
      bars.high[at] = 1.002 * close;
      bars.low[at] = 0.998 * close;
      bars.close[at] = close;
      bars.volume[at] = (minutes * 1e6) / close;
      at++;
    }
  }
  return bars;
}

/** Different from one period to the next. */
export function closeOf(assetNumber: AssetNumber, period: number): number {
  return (1 + (assetNumber % 1000)) * (1 + 0.2 * Math.sin(period / 50) + 1e-6 * (period % 997));
}

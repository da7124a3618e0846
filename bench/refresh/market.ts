// A store with many assets and a year of closes or of whole bars, and what changes in it.

import type { AssetNumber } from '../../src/domain/asset.ts';
import { barColumns } from '../../src/domain/bar.ts';
import { CLOSES_PER_ROW } from '../../src/domain/row-needs.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import type { Store, StoredBars } from '../../src/store/store.ts';
import { PLAIN_FACTS } from '../query/universe.ts';

const FIRST_DAY = 19_000;
/** The day after the last one that the store is filled with. */
export const NEXT_DAY = FIRST_DAY + CLOSES_PER_ROW;
const ASSETS_AT_ONCE = 100;

/** What the store has of each day. */
export type BarKind = 'closes' | 'whole bars';

/** Every asset with a close or a whole bar on each of the last 366 days, published; returns their numbers. */
export async function fillStore(store: Store, assets: number, kind: BarKind = 'closes'): Promise<AssetNumber[]> {
  const drafts = Array.from({ length: assets }, (_, i) => ({
    id: `s${i}-asset-${i}`,
    symbol: `S${i}`,
    name: `Asset ${i}`,
    rank: i + 1,
    type: 'coin',
    ...PLAIN_FACTS,
  }));
  const assetNumbers = await store.putAssets(drafts);
  let state = 7;
  for (let from = 0; from < assets; from += ASSETS_AT_ONCE) {
    const some = assetNumbers.slice(from, from + ASSETS_AT_ONCE);
    const bars = emptyBars(some.length * CLOSES_PER_ROW);
    for (const [i, assetNumber] of some.entries()) {
      // Stays near the price that later closes are made of: one that jumps would be a doubt, which takes time of its own.
      let distance = 0;
      for (let day = 0; day < CLOSES_PER_ROW; day++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        distance = 0.95 * distance + 0.06 * (state / 2 ** 32 - 0.5);
        const at = i * CLOSES_PER_ROW + day;
        bars.assetNumber[at] = assetNumber;
        bars.day[at] = FIRST_DAY + day;
        bars.close[at] = basePrice(assetNumber) * Math.exp(distance);
        if (kind === 'whole bars') complete(bars, at);
      }
    }
    await store.putBars(bars);
  }
  await recomputePending(store);
  return assetNumbers;
}

/** One close or bar of each of these assets, different for each round. */
export function barsOn(
  day: number,
  assetNumbers: readonly AssetNumber[],
  round: number,
  kind: BarKind = 'closes',
): StoredBars {
  const bars = emptyBars(assetNumbers.length);
  for (const [i, assetNumber] of assetNumbers.entries()) {
    bars.assetNumber[i] = assetNumber;
    bars.day[i] = day;
    bars.close[i] = basePrice(assetNumber) * (1 + round / 20_000);
    if (kind === 'whole bars') complete(bars, i);
  }
  return bars;
}

function basePrice(assetNumber: AssetNumber): number {
  return 1 + (assetNumber % 1000);
}

/** Adds what a whole bar has besides its close. */
function complete({ open, high, low, close, volume }: StoredBars, at: number): void {
  open[at] = 0.99 * close[at]!;
  high[at] = 1.02 * close[at]!;
  low[at] = 0.98 * close[at]!;
  volume[at] = 1e6 / close[at]!;
}

function emptyBars(count: number): StoredBars {
  return { count, assetNumber: new Uint32Array(count), ...barColumns(count) };
}

// From which day on the candles of an asset are pulled again.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import type { BarStore } from '../../store/store.ts';

/** Days that are looked at for some that are missing. */
const GAP_DAYS = 30;

/**
 * The last day before the first that is missing among the newest ones: a price of today may have been stored although the candles of the
 * days before could not be loaded.
 */
export async function lastBeforeGap(
  store: Pick<BarStore, 'bars'>,
  asset: AssetNumber,
  first: number,
  last: number,
): Promise<number> {
  let next = Math.max(first, last - GAP_DAYS);
  const { day } = await store.bars(asset, next as Day, last as Day); // stored days
  for (let i = 0; day[i] === next; i++) next++;
  return Math.min(last, Math.max(first, next - 1));
}

// The names of files in freqtrade's data folder, such as BTC_USDT-1d.feather, and the assets that have one.

import type { Asset, AssetNumber } from '../../domain/asset.ts';
import { ACTIVE_DAYS, isActive, outranks, tickerKey } from '../../domain/asset-state.ts';
import type { Interval } from '../../domain/interval.ts';

export interface FreqtradeLayout {
  /** The currency behind the ticker in the name of a pair. */
  readonly stake: string;
  readonly interval: Interval;
}

/** freqtrade's word for it in names of files. */
function timeframe(interval: Interval): string {
  return interval === '1mo' ? '1Mo' : interval;
}

/** freqtrade reads the pair from the name, and the first underscore as the slash of the pair. */
const TICKER = /^[\p{L}\p{N}-]+$/u;

export function pairFileName(symbol: string, { stake, interval }: FreqtradeLayout): string {
  return `${symbol}_${stake}-${timeframe(interval)}.feather`;
}

type Facts = Pick<Asset, 'rank' | 'id' | 'delisted'>;
type Priced = Pick<Asset, 'assetNumber' | 'symbol'> & { readonly lastDay: number };

/** Of several assets with one ticker, the one that the listing has: the active one with the best rank. */
export function assetsWithFile<A extends Priced>(
  assets: readonly A[],
  facts: ReadonlyMap<AssetNumber, Facts>,
  stake: string,
  activePeriods: number = ACTIVE_DAYS,
): A[] {
  const newest = assets.reduce((day, { lastDay }) => Math.max(day, lastDay), 0);
  const chosen = new Map<string, A>();
  const precedes = (one: A, other: A) => {
    const [own, others] = [facts.get(one.assetNumber)!, facts.get(other.assetNumber)!]; // the plan is made of them
    const active = isActive(one.lastDay, newest, own.delisted, activePeriods);
    if (active !== isActive(other.lastDay, newest, others.delisted, activePeriods)) return active;
    return outranks(own, others);
  };
  for (const asset of assets) {
    const key = tickerKey(asset.symbol);
    if (!TICKER.test(asset.symbol) || key === tickerKey(stake)) continue;
    const known = chosen.get(key);
    if (known === undefined || precedes(asset, known)) chosen.set(key, asset);
  }
  return [...chosen.values()];
}

// The state of an asset: whether it is new, whether it is active, and which of several assets has a shared ticker.
//
// Every rule counts whole UTC days, because prices are daily: within a day, only new data changes a state.

import type { Asset } from './asset.ts';
import type { Day } from './day.ts';

/** An asset is new on the day of its first close and on this many days after it. */
export const NEW_DAYS = 5;
/** An asset is active while its last close is at most this many days older than the newest close of all, unless a setting differs. */
export const ACTIVE_DAYS = 7;

/** Ticker of the asset against which betas and correlations are computed, unless a setting names another: of the best-ranked one that has prices. */
export const BENCHMARK = 'BTC';

export interface AssetState {
  readonly isNew: boolean;
  readonly isActive: boolean;
  /** Days of the oldest and the newest close; null without prices. */
  readonly firstDay: Day | null;
  readonly lastDay: Day | null;
}

/** Compared with today and not with the newest close: a store that gets no more data has no new assets. */
export function isNew(firstDay: number, today: number): boolean {
  return today - firstDay <= NEW_DAYS;
}

/** Compared with the newest close and not with today: a source that is a week late does not empty the listing. */
export function isActive(lastDay: number, newestDay: number, delisted: boolean, activeDays: number): boolean {
  return !delisted && newestDay - lastDay <= activeDays;
}

/**
 * Two assets share a ticker if these are equal. It ignores case, as requests do: `symbol=btc` must not find two rows.
 */
export function tickerKey(symbol: string): string {
  return symbol.toUpperCase();
}

/** Whether the first of two active assets with one ticker has the row: by rank, unranked ones last, then by id. */
export function outranks(one: Pick<Asset, 'rank' | 'id'>, other: Pick<Asset, 'rank' | 'id'>): boolean {
  const [rank, otherRank] = [one.rank ?? Number.POSITIVE_INFINITY, other.rank ?? Number.POSITIVE_INFINITY];
  if (rank !== otherRank) return rank < otherRank;
  return Buffer.compare(Buffer.from(one.id), Buffer.from(other.id)) < 0;
}

/** Undefined only for none. */
export function bestRanked<A extends Pick<Asset, 'rank' | 'id'>>(assets: readonly A[]): A | undefined {
  const [first, ...others] = assets;
  return first && others.reduce((best, rival) => (outranks(rival, best) ? rival : best), first);
}

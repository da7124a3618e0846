// The state of an asset: whether it is new, whether it is active, and which of several assets has a shared ticker.
//
// Every rule counts whole UTC days, because prices are daily: nothing changes in the middle of a day but by new data.

import type { Asset } from './asset.ts';
import type { Day } from './day.ts';

/** An asset is new on the day of its first close and on this many days after it. */
export const NEW_DAYS = 5;
/** An asset is active while its last close is at most this many days older than the newest close of all. */
export const ACTIVE_DAYS = 7;

export interface AssetState {
  readonly isNew: boolean;
  readonly isActive: boolean;
  /** Days of the oldest and the newest close; null without prices. */
  readonly firstDay: Day | null;
  readonly lastDay: Day | null;
}

/** Measured against today and not against the newest close: a store that nobody feeds any more has no newcomers. */
export function isNew(firstDay: number, today: number): boolean {
  return today - firstDay <= NEW_DAYS;
}

/** Measured against the newest close and not against today: a source that is late by a week does not empty the listing. */
export function isActive(lastDay: number, newestDay: number, delisted: boolean): boolean {
  return !delisted && newestDay - lastDay <= ACTIVE_DAYS;
}

/**
 * Assets share a ticker when these are equal. Case does not count, because it does not count where a ticker is asked for:
 * `symbol=btc` must not find two rows.
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

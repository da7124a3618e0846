// The intervals that a store has bars for, as clients can ask for them.

import type { Period } from './interval.ts';
import { type BaseInterval, baseOf, coarserPeriod, INTERVALS, type Interval, timestampOfPeriod } from './interval.ts';

/** What a store has of a base interval. */
export interface BaseSpan {
  readonly interval: BaseInterval;
  /** Null without bars. */
  readonly first: Period | null;
  readonly last: Period | null;
}

export interface ServedInterval {
  readonly interval: Interval;
  /** Start of the first period of any asset, and of the latest one, ISO 8601. */
  readonly first: string;
  readonly last: string;
}

/** Those whose base has bars, from the shortest to the longest. */
export function servedIntervals(bases: readonly BaseSpan[]): ServedInterval[] {
  return INTERVALS.flatMap(interval => {
    const base = baseOf(interval);
    const { first, last } = bases.find(each => each.interval === base) ?? { first: null, last: null };
    if (first === null || last === null) return [];
    const periodOf = coarserPeriod(base, interval);
    const start = (period: Period) => timestampOfPeriod(interval, periodOf(period) as Period); // of a period of the store
    return [{ interval, first: start(first), last: start(last) }];
  });
}

// Drops the minutes and hours that are older than they are kept. What was made of them stays.

import { MILLIS_PER_DAY } from '../domain/day.ts';
import { type BaseInterval, type Period, periodOfMillis, startOfPeriod } from '../domain/interval.ts';
import type { SeriesStore } from '../store/store.ts';

/** For how many days bars are kept, 0 for ever. Days are kept for ever. */
export type Retention = Readonly<Record<Exclude<BaseInterval, '1d'>, number>>;

export interface DroppedBars {
  readonly interval: BaseInterval;
  readonly bars: number;
}

/** The settings of it. */
export function retentionOf(config: { readonly 'retention-1m': number; readonly 'retention-1h': number }): Retention {
  return { '1m': config['retention-1m'], '1h': config['retention-1h'] };
}

/**
 * The age of a bar counts from the newest bar of its interval and not from now: a store of past years keeps its last weeks, and a wrong
 * clock drops nothing. The caller is the only one who writes.
 */
export async function dropOldBars(store: SeriesStore, retention: Retention): Promise<DroppedBars[]> {
  const dropped: DroppedBars[] = [];
  for (const { interval, first, last } of await store.intervals()) {
    if (interval === '1d' || first === null || last === null || retention[interval] === 0) continue;
    const before = firstKept(interval, last, retention[interval]);
    const bars = first < before ? await store.series(interval).dropBefore(before) : 0;
    if (bars > 0) dropped.push({ interval, bars });
  }
  return dropped;
}

/** The first period that is kept when this one is the newest. */
export function firstKept(interval: BaseInterval, newest: number, days: number): Period {
  const start = startOfPeriod(interval, newest) - days * MILLIS_PER_DAY;
  return periodOfMillis(interval, Math.max(0, start))!; // before a period
}

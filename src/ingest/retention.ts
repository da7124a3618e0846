// Drops the minutes and hours that are older than they are kept. What was made of them stays.

import { MILLIS_PER_DAY } from '../domain/day.ts';
import { type BaseInterval, type Period, periodOfMillis, startOfPeriod } from '../domain/interval.ts';
import type { SeriesStore, SourceStore, StoreLocks } from '../store/store.ts';

/** For how many days bars are kept, 0 for ever. Days are kept for ever. */
export type Retention = Readonly<Record<Exclude<BaseInterval, '1d'>, number>>;

type DroppingStore = SeriesStore & Pick<SourceStore, 'dropSourceBars'>;

/** Periods that may stay until the next time: a store drops blocks that are whole, and cuts no coarser period. */
const SLACK = { '1m': 480, '1h': 96 } as const;

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
export async function dropOldBars(store: DroppingStore, retention: Retention): Promise<DroppedBars[]> {
  const dropped: DroppedBars[] = [];
  for (const [interval, before] of await tooOld(store, retention)) {
    // First: killed after it, the next time drops the rest.
    await store.dropSourceBars(interval, before);
    const bars = await store.series(interval).dropBefore(before);
    if (bars > 0) dropped.push({ interval, bars });
  }
  return dropped;
}

/** The same for a process that does not load. Does nothing while another one writes. */
export async function dropWhenFree(store: DroppingStore & StoreLocks, retention: Retention): Promise<DroppedBars[]> {
  if ((await tooOld(store, retention)).length === 0) return [];
  await using lock = await store.lock('load');
  return lock === null ? [] : await dropOldBars(store, retention);
}

/** The intervals with bars that are too old, and the first period of each that is kept. */
async function tooOld(store: SeriesStore, retention: Retention): Promise<(readonly [BaseInterval, Period])[]> {
  return (await store.intervals()).flatMap(({ interval, first, last }) => {
    if (interval === '1d' || first === null || last === null || retention[interval] === 0) return [];
    const before = firstKept(interval, last, retention[interval]);
    return first < before - SLACK[interval] ? [[interval, before] as const] : [];
  });
}

/** The first period that is kept when this one is the newest. */
function firstKept(interval: BaseInterval, newest: number, days: number): Period {
  const start = startOfPeriod(interval, newest) - days * MILLIS_PER_DAY;
  return periodOfMillis(interval, Math.max(0, start))!; // before a period
}

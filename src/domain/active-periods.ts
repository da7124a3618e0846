// How much older than the newest bar of an interval the latest one of a listed asset may be.

import { ACTIVE_DAYS } from './asset-state.ts';
import { isFinerThanDay, LISTED_INTERVALS, type ListedInterval } from './interval.ts';

/** In periods of each interval. */
export type ActivePeriods = Readonly<Record<ListedInterval, number>>;

/** Of the intervals shorter than a day, unless a setting differs. */
export const FINE_ACTIVE_PERIODS = 48;

/** `activeDays`: of days, and of weeks as many as begin within them. */
export function activePeriods(activeDays: number = ACTIVE_DAYS, others: Partial<ActivePeriods> = {}): ActivePeriods {
  const standard = (interval: ListedInterval) => {
    if (interval === '1d') return activeDays;
    return isFinerThanDay(interval) ? FINE_ACTIVE_PERIODS : Math.ceil(activeDays / 7);
  };
  const all = LISTED_INTERVALS.map(interval => [interval, others[interval] ?? standard(interval)]);
  return Object.fromEntries(all) as ActivePeriods; // of these intervals
}

/** `1m=120,1h=48`, as the setting has it; empty for none. */
export function parseActivePeriods(text: string): Partial<ActivePeriods> {
  const pairs = text.split(',').filter(part => part !== '');
  return Object.fromEntries(
    pairs.map(pair => pair.split('=')).map(([interval, periods]) => [interval, Number(periods)]),
  );
}

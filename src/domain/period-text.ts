// Periods as people read them.

import { type BaseInterval, startOfPeriod } from './interval.ts';

/** `2026-10-01` for a day, `2026-10-01T14:00Z` for the start of an hour or a minute. */
export function periodText(interval: BaseInterval, period: number): string {
  const time = new Date(startOfPeriod(interval, period)).toISOString();
  return interval === '1d' ? time.slice(0, 10) : `${time.slice(0, 16)}Z`;
}

/** Milliseconds. */
export function lengthOf(interval: BaseInterval): number {
  return startOfPeriod(interval, 1);
}

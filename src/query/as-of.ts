// The check that `as_of` is not in the future.

import { type Day, dayOfMillis, isoFromDay, LAST_DAY } from '../domain/day.ts';
import { type Interval, startOfPeriod } from '../domain/interval.ts';
import { ApiError } from '../errors.ts';
import { PARAMETERS } from './parameters.ts';

/** `now`: milliseconds since 1970. Of today, any period: the last one stands for the whole day. */
export function requireReached(period: number, now: number, interval: Interval = '1d'): void {
  const day = dayOfMillis(Math.max(0, startOfPeriod(interval, period))) ?? LAST_DAY;
  if (day <= (dayOfMillis(now) ?? LAST_DAY)) return;
  throw new ApiError('invalid_value', `as_of is ${isoFromDay(day satisfies Day)}, which is in the future.`, {
    param: 'as_of',
    hint: `as_of takes ${PARAMETERS.as_of.takes}.`,
  });
}

// The check that `as_of` is not in the future.

import { type Day, dayOfMillis, isoFromDay, LAST_DAY } from '../domain/day.ts';
import { ApiError } from '../errors.ts';
import { PARAMETERS } from './parameters.ts';

/** `now`: milliseconds since 1970. */
export function requireReached(day: Day, now: number): void {
  if (day <= (dayOfMillis(now) ?? LAST_DAY)) return;
  throw new ApiError('invalid_value', `as_of is ${isoFromDay(day)}, which is in the future.`, {
    param: 'as_of',
    hint: `as_of takes ${PARAMETERS.as_of.takes}.`,
  });
}

// Closes of days that have not begun: the clock of this machine is wrong, or was wrong when they were loaded.

import { type Day, dayOfMillis, isoFromDay } from './day.ts';

/** Null if the newest close is not of the future. */
export function futureWarning(newestDay: Day, now: number): string | null {
  const today = dayOfMillis(now);
  if (today !== null && newestDay <= today) return null;
  const clock = today === null ? 'out of range' : `on ${isoFromDay(today)}`;
  return `the newest close is of ${isoFromDay(newestDay)}, and the clock of this machine is ${clock}: check the clock`;
}

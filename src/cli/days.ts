// Days, as commands need them.

import { type Day, dayOfMillis, isoFromDay } from '../domain/day.ts';
import { CommandError } from './command.ts';

/** The current UTC day. */
export function today(): Day {
  const day = dayOfMillis(Date.now());
  if (day === null) throw new CommandError('the clock of this machine is out of range', 'Set it, then repeat.');
  return day;
}

export function isoOrNull(day: Day | null): string | null {
  return day === null ? null : isoFromDay(day);
}

// UTC calendar days as integers: the number of days since 1970-01-01, so that day arithmetic is integer arithmetic.

import { MILLIS_PER_DAY, type Period } from './interval.ts';

export { MILLIS_PER_DAY };

/** Days since 1970-01-01 UTC. Only the functions here make one, so it is always an integer in range. */
export type Day = Period<'1d'>;

/** 1970-01-01, the Unix epoch: no digital asset has an older price. */
export const FIRST_DAY = 0 as Day;
/** 9999-12-31: the last day that a four-digit year can write. */
export const LAST_DAY = 2_932_896 as Day;

export function isDay(value: number): value is Day {
  return Number.isInteger(value) && value >= FIRST_DAY && value <= LAST_DAY;
}

/** The day of this instant, or null if it is outside the calendar. */
export function dayOfMillis(unixMillis: number): Day | null {
  const day = Math.floor(unixMillis / MILLIS_PER_DAY);
  return isDay(day) ? day : null;
}

/** `YYYY-MM-DD` to a day; null for anything else, including days that no calendar has (2023-02-29). */
export function dayFromIso(text: string): Day | null {
  const millis = millisFromIso(text);
  return millis === null ? null : dayOfMillis(millis);
}

/** A time of day in UTC after the day. The service itself writes a space between the two in `datetimeUTC` of a response. */
const TIME_OF_DAY = /^[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z?$/i;

/** A day, or a time in UTC, which stands for the day that it lies in; null for anything else. */
export function parseDayText(text: string): Day | null {
  const time = text.slice(10);
  return time === '' || TIME_OF_DAY.test(time) ? dayFromIso(text.slice(0, 10)) : null;
}

/** The same as `dayFromIso` for a day up to which something is asked for: one before the first day counts as the first, because nothing is older. */
export function lastDayFromIso(text: string): Day | null {
  const millis = millisFromIso(text);
  return millis === null ? null : dayOfMillis(Math.max(millis, FIRST_DAY));
}

function millisFromIso(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const millis = Date.parse(`${text}T00:00:00.000Z`);
  // V8 rolls 2023-02-30 over into March instead of refusing it.
  return Number.isNaN(millis) || new Date(millis).toISOString().slice(0, 10) !== text ? null : millis;
}

/** `YYYY-MM-DD`. */
export function isoFromDay(day: Day): string {
  return new Date(day * MILLIS_PER_DAY).toISOString().slice(0, 10);
}

/** `YYYY-MM-DDTHH:MM:SSZ` of the start of the day: the form of times in a profile. */
export function profileTimeFromDay(day: Day): string {
  return `${isoFromDay(day)}T00:00:00Z`;
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ` of the start of the day: the form of `datetimeUTC` in a row. */
export function timestampFromDay(day: Day): string {
  return `${isoFromDay(day)}T00:00:00.000Z`;
}

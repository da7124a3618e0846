// How times are written: in UTC, or in the time zone of this browser. The API and its files have UTC always.

import { signal } from '@preact/signals';
import { type Interval, isFine } from './interval.ts';

export type TimeForm = 'utc' | 'local';

const SLOT = 'tidemark-times';

/** Outside a browser there is nothing to remember. */
const storage = globalThis.localStorage;

export const timeForm = signal<TimeForm>(storage?.getItem(SLOT) === 'local' ? 'local' : 'utc');

export function toggleTimeForm(): void {
  timeForm.value = timeForm.value === 'utc' ? 'local' : 'utc';
  if (timeForm.value === 'local') storage.setItem(SLOT, 'local');
  else storage.removeItem(SLOT);
}

/** What stands behind a time: `UTC`, or the name of the local zone then, such as `GMT+1`. */
export function zoneName(millis: number): string {
  if (timeForm.value === 'utc') return 'UTC';
  const parts = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(millis);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'local';
}

/** Milliseconds since 1970 whose UTC parts are those of the time as it is written. */
export function writtenMillis(millis: number): number {
  return timeForm.value === 'utc' ? millis : millis - new Date(millis).getTimezoneOffset() * 60_000;
}

/** `2026-11-17 14:00`. */
export function formatMoment(millis: number): string {
  return new Date(writtenMillis(millis)).toISOString().slice(0, 16).replace('T', ' ');
}

/** The start of a period: a UTC day, or a time if periods are shorter. */
export function formatPeriod(millis: number, interval: Interval): string {
  return isFine(interval) ? formatMoment(millis) : new Date(millis).toISOString().slice(0, 10);
}

/** The same with its zone, for a text that stands alone. */
export function formatPeriodInZone(millis: number, interval: Interval): string {
  return `${formatPeriod(millis, interval)} ${isFine(interval) ? zoneName(millis) : 'UTC'}`;
}

/** A value of `<input type="datetime-local">` as milliseconds since 1970; null if it is not whole. */
export function parseLocalInput(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return null;
  const millis = timeForm.value === 'utc' ? Date.parse(`${text.slice(0, 16)}Z`) : new Date(text).getTime();
  return Number.isNaN(millis) ? null : millis;
}

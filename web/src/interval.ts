// Intervals, the lengths of bars, as the address of a page and the API write them, and their words.

import { signal } from '@preact/signals';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From the shortest to the longest. `seconds` of a month is its mean. */
export const INTERVALS = [
  { id: '1m', label: '1 minute', seconds: MINUTE },
  { id: '5m', label: '5 minutes', seconds: 5 * MINUTE },
  { id: '15m', label: '15 minutes', seconds: 15 * MINUTE },
  { id: '30m', label: '30 minutes', seconds: 30 * MINUTE },
  { id: '1h', label: '1 hour', seconds: HOUR },
  { id: '4h', label: '4 hours', seconds: 4 * HOUR },
  { id: '12h', label: '12 hours', seconds: 12 * HOUR },
  { id: '1d', label: '1 day', seconds: DAY },
  { id: '1w', label: '1 week', seconds: 7 * DAY },
  { id: '1mo', label: '1 month', seconds: 30.44 * DAY },
] as const;

export type Interval = (typeof INTERVALS)[number]['id'];

/** Those that have indicators. A month has bars only. */
export type ListedInterval = Exclude<Interval, '1mo'>;

/** Of the page that is shown, by its address. */
export const shownInterval = signal<Interval>('1d');

/** A day for what is not an interval. */
export function intervalOf(text: string | null): Interval {
  return INTERVALS.find(({ id }) => id === text)?.id ?? '1d';
}

/** The interval of the indicators beside bars of this one: those of months are of days. */
export function listedInterval(interval: Interval): ListedInterval {
  return interval === '1mo' ? '1d' : interval;
}

/** As a parameter of the API, which takes days without it. */
export function intervalParam<I extends Interval>(interval: I): I | undefined {
  return interval === '1d' ? undefined : interval;
}

export function secondsOf(interval: Interval): number {
  return INTERVALS.find(({ id }) => id === interval)!.seconds; // every interval is in the list
}

/** Finer than a day: its periods have a time of day. */
export function isFine(interval: Interval): boolean {
  return secondsOf(interval) < DAY;
}

export function intervalLabel(interval: Interval): string {
  return INTERVALS.find(({ id }) => id === interval)!.label; // every interval is in the list
}

/** `7h` for 7 hours, `7×4h` for 7 periods of 4 hours. */
export function shortPeriods(interval: Interval, count: number | string): string {
  return interval.startsWith('1') && !/^1\d/.test(interval) ? `${count}${interval.slice(1)}` : `${count}×${interval}`;
}

/** A column's label, which the catalogue has for days: `Change 7d` is `Change 7h`. */
export function labelIn(label: string, interval: Interval): string {
  if (interval === '1d') return label;
  return label
    .replace(/\b(\d+)d\b/g, (_, count: string) => shortPeriods(interval, count))
    .replace(/^Days\b/, 'Periods')
    .replace(/^Day\b/, isFine(interval) ? 'Time' : 'Period');
}

/** A text that is written for days. */
export function inPeriods(text: string, interval: Interval): string {
  if (interval === '1d') return text;
  return text
    .replaceAll('-day', '-period')
    .replace(/\bdaily closes\b/g, 'closes')
    .replace(/\bdays\b/g, 'periods')
    .replace(/\bday\b/g, 'period');
}

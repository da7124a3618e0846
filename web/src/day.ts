// Past days, and times of them, as the addresses of pages and the API write them: 2026-01-31, 2026-01-31T14:00Z. Always UTC.

import { type Interval, intervalParam, isFine, secondsOf } from './interval.ts';

const DAY_MS = 86_400_000;

/** Null unless the text is a day of the calendar. */
export function dayOrNull(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}

/** A day, or a time of it if periods are shorter; null unless it is one. */
export function momentOrNull(text: string | null, interval: Interval): string | null {
  const [, day, hour, minute] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::\d\d(?:\.\d+)?)?Z?)?$/i.exec(text ?? '') ?? [];
  const known = dayOrNull(day ?? null);
  if (known === null || hour === undefined || !isFine(interval)) return known;
  return `${known}T${hour}:${minute}Z`;
}

/** As the API takes it. */
export function momentOf(millis: number, interval: Interval): string {
  const text = new Date(millis).toISOString();
  return isFine(interval) ? `${text.slice(0, 16)}Z` : text.slice(0, 10);
}

/** Start of the period that a day or time names, in milliseconds: of a day, of the last one that begins on it. */
export function periodOfMoment(moment: string, interval: Interval): number {
  const length = secondsOf(interval) * 1000;
  if (!isFine(interval)) return Date.parse(moment.slice(0, 10));
  const millis = dayOrNull(moment) === null ? Date.parse(moment) : Date.parse(moment) + DAY_MS - 1;
  return Math.floor(millis / length) * length;
}

/** The day of a day or a time. */
export function dayOfMoment(moment: string): string {
  return moment.slice(0, 10);
}

/** The address with this past day or time, or without one: `as_of` is the same on every page. */
export function withDay(address: string, day: string | null): string {
  return withPair(address, 'as_of', day);
}

/** The address with this interval, which is the same on every page. Only fine ones have times of a past day. */
export function withInterval(address: string, interval: Interval): string {
  const changed = withPair(address, 'interval', intervalParam(interval) ?? null);
  const day = new URLSearchParams(changed.split('?', 2)[1]).get('as_of');
  return day === null || isFine(interval) ? changed : withDay(changed, dayOfMoment(day));
}

/** The address with this quote, or without one: it is the same on every page. */
export function withQuote(address: string, quote: string | null): string {
  return withPair(address, 'quote', quote === null ? null : encodeURIComponent(quote));
}

function withPair(address: string, name: string, value: string | null): string {
  const [path = '/', query = ''] = address.split('?', 2);
  const others = query.split('&').filter(pair => pair !== '' && !pair.startsWith(`${name}=`));
  const pairs = value === null ? others : [...others, `${name}=${value}`];
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

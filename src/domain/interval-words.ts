// What texts call the periods of an interval. The catalogue is written for days; for other intervals its words are replaced.

import { type Interval, type ListedInterval, periodsPerYear } from './interval.ts';

interface PeriodWords {
  readonly one: string;
  readonly many: string;
  /** Before a noun, as in "daily closes". */
  readonly adjective: string;
}

const WORDS: Readonly<Record<Interval, PeriodWords>> = {
  '1m': { one: 'minute', many: 'minutes', adjective: 'one-minute' },
  '5m': { one: 'period of 5 minutes', many: 'periods of 5 minutes', adjective: '5-minute' },
  '15m': { one: 'period of 15 minutes', many: 'periods of 15 minutes', adjective: '15-minute' },
  '30m': { one: 'period of 30 minutes', many: 'periods of 30 minutes', adjective: '30-minute' },
  '1h': { one: 'hour', many: 'hours', adjective: 'hourly' },
  '4h': { one: 'period of 4 hours', many: 'periods of 4 hours', adjective: '4-hour' },
  '12h': { one: 'period of 12 hours', many: 'periods of 12 hours', adjective: '12-hour' },
  '1d': { one: 'day', many: 'days', adjective: 'daily' },
  '1w': { one: 'week', many: 'weeks', adjective: 'weekly' },
  '1mo': { one: 'month', many: 'months', adjective: 'monthly' },
};

/** `5 hours`, `one week`. */
export function periodsText(interval: Interval, count: number): string {
  const { one, many } = WORDS[interval];
  return count === 1 ? `one ${one}` : `${count} ${many}`;
}

export function periodWord(interval: Interval, count: number = 1): string {
  return count === 1 ? WORDS[interval].one : WORDS[interval].many;
}

/** A text of the catalogue for another interval. */
export function inPeriods(text: string, interval: ListedInterval): string {
  if (interval === '1d') return text;
  const { one, many, adjective } = WORDS[interval];
  return text
    .replaceAll('√365', interval === '1w' ? '√(365/7)' : `√${periodsPerYear(interval)}`)
    .replace(/\bdaily\b/g, adjective)
    .replace(/\b(?:UTC )?day\b/g, one)
    .replace(/\bdays\b/g, many)
    .replace(/\bDays\b/g, many.charAt(0).toUpperCase() + many.slice(1));
}

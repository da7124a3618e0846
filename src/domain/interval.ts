// Intervals, the lengths of bars, and periods, the steps of an interval: integers that count them since 1970-01-01T00:00Z.
//
// Weeks start on Monday, so that period 0 of `1w` started before 1970, on 1969-12-29; months start on their first day.

/** From the shortest to the longest. */
export const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d', '1w', '1mo'] as const;

export type Interval = (typeof INTERVALS)[number];

/** Those whose bars a store holds; the bars of the others are made of them. */
export const BASE_INTERVALS = ['1m', '1h', '1d'] as const satisfies readonly Interval[];

/** Those that are finer than a day. */
export const FINE_INTERVALS = ['1m', '1h'] as const satisfies readonly BaseInterval[];

export type FineInterval = (typeof FINE_INTERVALS)[number];

export type BaseInterval = (typeof BASE_INTERVALS)[number];

/** The base whose bars each is read from. */
const BASE_OF: Readonly<Record<Interval, BaseInterval>> = {
  '1m': '1m',
  '5m': '1m',
  '15m': '1m',
  '30m': '1m',
  '1h': '1h',
  '4h': '1h',
  '12h': '1h',
  '1d': '1d',
  '1w': '1d',
  '1mo': '1d',
};

export function baseOf(interval: Interval): BaseInterval {
  return BASE_OF[interval];
}

/** The intervals that indicators are computed for. */
export type ListedInterval = Exclude<Interval, '1mo'>;

export const LISTED_INTERVALS: readonly ListedInterval[] = INTERVALS.filter(interval => interval !== '1mo');

/** Those that are made of days alone. */
export const DAILY_INTERVALS = ['1d', '1w', '1mo'] as const satisfies readonly Interval[];

export type DailyInterval = (typeof DAILY_INTERVALS)[number];

declare const periodBrand: unique symbol;

/** The number of a period of its interval. Only the functions here make one, so it is always an integer within the calendar. */
export type Period<I extends Interval = Interval> = number & { readonly [periodBrand]: I };

const MINUTE = 60_000;
export const MILLIS_PER_DAY = 1440 * MINUTE;
/** A Thursday is day 0; the Monday before it, day -3. */
const DAYS_BEFORE_THURSDAY = 3;

/** Milliseconds; a month has none. */
const LENGTHS: Readonly<Record<Exclude<Interval, '1mo'>, number>> = {
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': 60 * MINUTE,
  '4h': 240 * MINUTE,
  '12h': 720 * MINUTE,
  '1d': MILLIS_PER_DAY,
  '1w': 7 * MILLIS_PER_DAY,
};

/** Of every interval: stores have so many places per asset. The last minute is in 2225, the last hour in the year 17000. */
export const LAST_PERIOD = 2 ** 27 - 1;

/** The first instant of the year 10000: no period reaches it. */
const END_OF_CALENDAR = 253_402_300_800_000;

export function isInterval(text: string): text is Interval {
  return (INTERVALS as readonly string[]).includes(text);
}

/** Periods in a year of 365 days: returns of one period, times the square root of it, are those of a year. */
export function periodsPerYear(interval: ListedInterval): number {
  return (365 * MILLIS_PER_DAY) / LENGTHS[interval];
}

/** The period that this instant lies in, or null if it is before 1970 or too late for a store. */
export function periodOfMillis<I extends Interval>(interval: I, unixMillis: number): Period<I> | null {
  if (!(unixMillis >= 0 && unixMillis < END_OF_CALENDAR)) return null;
  const period = numberOf(interval, unixMillis);
  return period <= LAST_PERIOD ? (period as Period<I>) : null; // within the calendar
}

function numberOf(interval: Interval, unixMillis: number): number {
  if (interval === '1mo') {
    const date = new Date(unixMillis);
    return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  }
  const shift = interval === '1w' ? DAYS_BEFORE_THURSDAY * MILLIS_PER_DAY : 0;
  return Math.floor((unixMillis + shift) / LENGTHS[interval]);
}

/** Milliseconds since 1970 at which a period starts. */
export function startOfPeriod(interval: Interval, period: number): number {
  if (interval === '1mo') return Date.UTC(1970, period);
  const shift = interval === '1w' ? DAYS_BEFORE_THURSDAY * MILLIS_PER_DAY : 0;
  return period * LENGTHS[interval] - shift;
}

/** The number of the period of `coarse` that each period of `fine` lies in. Every interval is a whole number of any finer base. */
export function coarserPeriod(fine: BaseInterval, coarse: Interval): (period: number) => number {
  if (fine === coarse) return period => period;
  if (coarse === '1mo') return period => numberOf(coarse, period * LENGTHS[fine]);
  const ratio = LENGTHS[coarse] / LENGTHS[fine];
  if (ratio < 1) throw new RangeError(`${coarse} is shorter than ${fine}`);
  const shift = coarse === '1w' ? (DAYS_BEFORE_THURSDAY * MILLIS_PER_DAY) / LENGTHS[fine] : 0;
  return period => Math.floor((period + shift) / ratio);
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ` of the start of a period: the form of `datetimeUTC` in a row. */
export function timestampOfPeriod(interval: Interval, period: Period): string {
  return new Date(startOfPeriod(interval, period)).toISOString();
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|\+00:?00)?)?$/i;

/** An instant as a client may write it: a day, or a day and a time of day in UTC. */
export interface WrittenTime {
  /** Milliseconds since 1970. */
  readonly millis: number;
  /** Written without a time of day. */
  readonly isDay: boolean;
}

/** Null for anything else, such as a day that no calendar has (2023-02-29) or another time zone. */
export function parseTime(text: string): WrittenTime | null {
  const [, day, hour, minute, second = '00', fraction = '0'] = TIME.exec(text) ?? [];
  if (day === undefined) return null;
  const isDay = hour === undefined;
  const time = isDay ? '00:00:00.000' : `${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const written = `${day}T${time}Z`;
  const millis = Date.parse(written);
  // V8 rolls 2023-02-30 over into March, and 24:00 into the next day, instead of refusing them.
  if (Number.isNaN(millis) || new Date(millis).toISOString() !== written) return null;
  return { millis, isDay };
}

export function isFinerThanDay(interval: Interval): boolean {
  return INTERVALS.indexOf(interval) < INTERVALS.indexOf('1d');
}

/**
 * Where a written time lies among the starts of periods: at the number of the period that starts there, or half a number behind that of
 * the period that it lies in. A time stands for the period that it lies in, and if that is longer than a day, for its day. Null before 1970.
 */
export function placeOfTime(interval: Interval, { millis }: WrittenTime): number | null {
  if (millis < 0) return null;
  const unit = isFinerThanDay(interval) ? interval : '1d';
  const start = startOfPeriod(unit, Math.min(numberOf(unit, millis), LAST_PERIOD));
  const period = numberOf(interval, start);
  return startOfPeriod(interval, period) === start ? period : period + 0.5;
}

/** `YYYY-MM-DD`, and the time of day in UTC if periods are shorter: what a message says of a period. */
export function isoOfPeriod(interval: Interval, period: number): string {
  const text = new Date(startOfPeriod(interval, period)).toISOString();
  return isFinerThanDay(interval) ? `${text.slice(0, 16)}Z` : text.slice(0, 10);
}

/** The last period that a written time names: the one that it lies in, or, for a day, the last one that starts on it. */
export function lastPeriodOfTime<I extends Interval>(interval: I, { millis, isDay }: WrittenTime): Period<I> | null {
  return periodOfMillis(interval, isDay ? millis + MILLIS_PER_DAY - 1 : millis);
}

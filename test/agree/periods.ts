// Intervals and their periods, written down apart from the code under test.

export const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d', '1w', '1mo'] as const;
export type Interval = (typeof INTERVALS)[number];

export const BASES = ['1m', '1h', '1d'] as const;
export type Base = (typeof BASES)[number];

export const DAY = 86_400_000;

/** The base that each is made of, and its length in milliseconds; a month has none. */
const FACTS: Readonly<Record<Interval, { readonly base: Base; readonly millis: number }>> = {
  '1m': { base: '1m', millis: DAY / 1440 },
  '5m': { base: '1m', millis: DAY / 288 },
  '15m': { base: '1m', millis: DAY / 96 },
  '30m': { base: '1m', millis: DAY / 48 },
  '1h': { base: '1h', millis: DAY / 24 },
  '4h': { base: '1h', millis: DAY / 6 },
  '12h': { base: '1h', millis: DAY / 2 },
  '1d': { base: '1d', millis: DAY },
  '1w': { base: '1d', millis: 7 * DAY },
  '1mo': { base: '1d', millis: Number.NaN },
};

export function baseOf(interval: Interval): Base {
  return FACTS[interval].base;
}

export function millisOf(interval: Interval): number {
  return FACTS[interval].millis;
}

export function isFine(interval: Interval): boolean {
  return baseOf(interval) !== '1d';
}

/** Weeks start on Monday, and 1970-01-01 is a Thursday. */
const shiftOf = (interval: Interval) => (interval === '1w' ? 3 * DAY : 0);

export function periodOf(interval: Interval, millis: number): number {
  const date = new Date(millis);
  if (interval === '1mo') return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return Math.floor((millis + shiftOf(interval)) / millisOf(interval));
}

export function startOf(interval: Interval, period: number): number {
  return interval === '1mo' ? Date.UTC(1970, period) : period * millisOf(interval) - shiftOf(interval);
}

/** The instant that a written time stands for: the start of the period that it lies in, and if periods are longer than a day, of its day. */
export function instantOf(interval: Interval, text: string): number {
  const unit = isFine(interval) ? interval : '1d';
  return startOf(unit, periodOf(unit, Date.parse(text)));
}

/** The last period that a written time names: the one that it lies in, or, for a day, the last one that starts on it. */
export function lastPeriodOf(interval: Interval, text: string): number {
  return periodOf(interval, Date.parse(text) + (text.length === 10 ? DAY - 1 : 0));
}

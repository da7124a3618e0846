// The rows of an interval, by exact arithmetic from its bars.

import assert from 'node:assert/strict';
import { INDICATORS, OPTIONAL_COMPUTED } from '../../../src/domain/catalogue.ts';
import type { BaseInterval, ListedInterval } from '../../../src/domain/interval.ts';
import type { Bars } from './bars.ts';
import { exactValue, type Fraction, relativeError } from './exact.ts';
import { exactOptional } from './optional.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Milliseconds, and the base that each is read from: written down here, apart from the code under test. */
export const INTERVAL_FACTS: Readonly<
  Record<ListedInterval, { readonly base: BaseInterval; readonly millis: number }>
> = {
  '1m': { base: '1m', millis: MINUTE },
  '5m': { base: '1m', millis: 5 * MINUTE },
  '15m': { base: '1m', millis: 15 * MINUTE },
  '30m': { base: '1m', millis: 30 * MINUTE },
  '1h': { base: '1h', millis: 60 * MINUTE },
  '4h': { base: '1h', millis: 240 * MINUTE },
  '12h': { base: '1h', millis: 720 * MINUTE },
  '1d': { base: '1d', millis: DAY },
  '1w': { base: '1d', millis: 7 * DAY },
};

/** Periods from the first one to a time. 1970-01-01 is a Thursday, and weeks begin on Monday. */
function periodsUntil(interval: ListedInterval, millis: number): number {
  return (millis + (interval === '1w' ? 3 * DAY : 0)) / INTERVAL_FACTS[interval].millis;
}

/** The period that contains a time. */
export function periodAt(interval: ListedInterval, millis: number): number {
  return Math.floor(periodsUntil(interval, millis));
}

/** The period that starts at a time of a row; a fraction if none does. */
export function periodOfRow(interval: ListedInterval, time: unknown): number {
  return periodsUntil(interval, Date.parse(String(time)));
}

/** With the period itself as the last bar, carried forward or not. */
export function barsUpTo(bars: Bars, period: number): Bars {
  const count = bars.day.filter(each => each <= period).length;
  const carried = bars.day[count - 1] !== period;
  const last = bars.close[count - 1]!;
  const cut = <T>(values: readonly T[], more: T) => [...values.slice(0, count), ...(carried ? [more] : [])];
  return {
    day: cut(bars.day, period),
    open: cut(bars.open, last),
    high: cut(bars.high, last),
    low: cut(bars.low, last),
    close: cut(bars.close, last),
    volume: cut(bars.volume, 0),
  };
}

/** One close per period. */
export function denseCloses({ day, close }: Pick<Bars, 'day' | 'close'>): number[] {
  const found: number[] = [];
  for (const [i, period] of day.entries()) {
    while (i > 0 && found.length < period - day[0]!) found.push(found.at(-1)!);
    found.push(close[i]!);
  }
  return found;
}

/** Every column of the row of the last of these bars, to 1e-12. */
export function assertExactRow(
  row: Readonly<Record<string, unknown>>,
  interval: ListedInterval,
  bars: Bars,
  benchmark: Bars,
  what: string,
): void {
  assert.equal(periodOfRow(interval, row['datetimeUTC']), bars.day.at(-1), what);
  const closes = denseCloses(bars);
  assert.equal(row['price'], closes.at(-1), what);
  const perYear = { numerator: 365n * BigInt(DAY), denominator: BigInt(INTERVAL_FACTS[interval].millis) };
  for (const column of INDICATORS)
    assertExact(`${column.name} of ${what}`, row[column.name], exactValue(column, closes, perYear));
  for (const { name } of OPTIONAL_COMPUTED) {
    const value = name === 'ath_at' ? periodOfRow(interval, row[name]) : row[name];
    assertExact(`${name} of ${what}`, value, exactOptional(name, bars, benchmark, perYear));
  }
}

function assertExact(name: string, actual: unknown, exact: Fraction | null): void {
  if (exact === null) {
    assert.equal(actual, null, name);
    return;
  }
  assert.equal(typeof actual, 'number', `${name} is ${actual}`);
  const error = relativeError(Number(actual), exact);
  assert.ok(error <= 1e-12, `${name} = ${actual} is off by ${error}`);
}

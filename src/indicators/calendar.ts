// From the bars of one asset to a dense series: one close per period, gaps filled with the close before them.

import type { BarColumns } from '../domain/bar.ts';
import { FIRST_DAY } from '../domain/day.ts';
import { LAST_PERIOD, type Period } from '../domain/interval.ts';
import { MAX_PRICE, MAX_QUOTED, MIN_PRICE, MIN_QUOTED } from '../domain/price.ts';
import { SeriesError } from './series-error.ts';

export interface DailySeries {
  readonly firstDay: Period;
  /** One per day, oldest first; the last is C₀. */
  readonly closes: Float64Array;
}

/** NaN for what a source did not give. A day without a bar has the close before it as open, high and low, and a volume of 0. */
export interface DailyBars extends DailySeries {
  readonly opens: Float64Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly volumes: Float64Array;
}

const NONE = new Float64Array();
export const NO_BARS: DailyBars = {
  firstDay: FIRST_DAY,
  closes: NONE,
  opens: NONE,
  highs: NONE,
  lows: NONE,
  volumes: NONE,
};

/** `days` ascend strictly, as periods of one interval; `closes[i]` is the close of `days[i]`. */
export function dailySeries(days: ArrayLike<number>, closes: ArrayLike<number>): DailySeries {
  checkBars(days, closes);
  const firstDay = days[0]! as Period; // checkBars has seen that it is one
  const dense = new Float64Array(days[days.length - 1]! - firstDay + 1);
  for (let i = 0; i < days.length; i++) {
    const until = i + 1 < days.length ? days[i + 1]! : days[i]! + 1;
    dense.fill(closes[i]!, days[i]! - firstDay, until - firstDay);
  }
  return { firstDay, closes: dense };
}

export function dailyBars({ day, open, high, low, close, volume }: BarColumns): DailyBars {
  const { firstDay, closes } = dailySeries(day, close);
  const spread = (values: Float64Array, dense: Float64Array) => {
    for (let i = 0; i < day.length; i++) dense[day[i]! - firstDay] = values[i]!;
    return dense;
  };
  return {
    firstDay,
    closes,
    opens: spread(open, closes.slice()),
    highs: spread(high, closes.slice()),
    lows: spread(low, closes.slice()),
    volumes: spread(volume, new Float64Array(closes.length)),
  };
}

function checkBars(days: ArrayLike<number>, closes: ArrayLike<number>): void {
  if (days.length !== closes.length) {
    throw new SeriesError(
      'length_mismatch',
      Math.min(days.length, closes.length),
      `${days.length} days but ${closes.length} closes`,
    );
  }
  if (days.length === 0) throw new SeriesError('empty_series', 0, 'no bars');
  for (let i = 0; i < days.length; i++) {
    const day = days[i]!;
    if (!(Number.isInteger(day) && day >= 0 && day <= LAST_PERIOD)) {
      throw new SeriesError('day_out_of_range', i, `${day} is not a period from 0 to ${LAST_PERIOD}`);
    }
    if (i > 0 && day <= days[i - 1]!) {
      throw new SeriesError('unsorted_days', i, `${day} does not come after ${days[i - 1]}`);
    }
    if (!isClose(closes[i]!)) throw badPrice(closes[i]!, i);
  }
}

/** Throws unless the closes are prices, for which the kernels are exact. */
export function checkCloses(closes: Float64Array, start: number, end: number): void {
  if (start >= end) throw new SeriesError('empty_series', start, 'no closes');
  for (let i = start; i < end; i++) {
    if (!isClose(closes[i]!)) throw badPrice(closes[i]!, i);
  }
}

/** In whatever quote. */
function isClose(value: number): boolean {
  return value >= MIN_QUOTED && value <= MAX_QUOTED;
}

/**
 * Whether the closes are certainly prices; otherwise `checkCloses` decides. Positive doubles have the order of their upper halves, and
 * integers are compared without a branch: several times faster than comparing each double.
 */
export function surelyPrices(halves: Int32Array, start: number, end: number): boolean {
  let outside = 0;
  for (let i = 2 * start + 1; i < 2 * end; i += 2) {
    const upper = halves[i]!;
    // One of the differences has its sign bit set if the half is outside, even if it wraps around.
    outside |= (upper - LOWEST) | (HIGHEST - upper);
  }
  return start < end && outside >= 0;
}

/** The doubles as pairs of integers, the lower half first as on every machine that Node supports. */
export function halvesOf(closes: Float64Array): Int32Array {
  return new Int32Array(closes.buffer, closes.byteOffset, closes.length * 2);
}

const LOWEST = halvesOf(Float64Array.of(MIN_PRICE))[1]! + 1;
const HIGHEST = halvesOf(Float64Array.of(MAX_PRICE))[1]! - 1;

function badPrice(close: number, position: number): SeriesError {
  return new SeriesError('bad_price', position, `${close} is not a price from ${MIN_QUOTED} to ${MAX_QUOTED}`);
}

// The bars of one asset, for charts in the shapes of other services.

import { partitionPoint } from '../../common/partition-point.ts';
import { MILLIS_PER_DAY } from '../../domain/day.ts';
import { baseOf, coarserPeriod, type Interval, isFinerThanDay, startOfPeriod } from '../../domain/interval.ts';
import type { QuoteAsset } from '../../domain/quote.ts';
import { ApiError } from '../../errors.ts';
import type { SpannedAsset } from '../../history/published-series.ts';
import type { ApiRequest } from '../../http/wire/answer.ts';
import { columnOf, type IndexedAsset, type Rows } from '../../snapshot/table.ts';
import { publishedOf, type ServiceContext } from '../context.ts';
import { barsOf } from '../endpoints/bars.ts';
import { invalidValue } from '../parameters.ts';
import { known, type Market, product } from './market.ts';

const NUMBERS = ['open', 'high', 'low', 'close', 'volume'] as const;

type NumberName = (typeof NUMBERS)[number];

/** Values are read row by row, where they are: a long history takes no more memory for each client. */
export class AssetBars {
  /** Oldest first. */
  readonly rows: number;
  readonly #interval: Interval;
  readonly #periods: Int32Array;
  readonly #numbers: Readonly<Record<NumberName, Float64Array>>;

  constructor(table: Rows) {
    this.rows = table.rows;
    const { interval, values } = columnOf(table, 'datetimeUTC', 'day');
    this.#interval = interval;
    this.#periods = values;
    const columns = NUMBERS.map(name => [name, columnOf(table, name, 'number').values]);
    this.#numbers = Object.fromEntries(columns); // each name of the type
  }

  period(row: number): number {
    return this.#periods[row]!;
  }

  /** Milliseconds since 1970. */
  start(row: number): number {
    return startOfPeriod(this.#interval, this.period(row));
  }

  /** The start of the next period. */
  end(row: number): number {
    return startOfPeriod(this.#interval, this.period(row) + 1);
  }

  /** `volume` in units of the asset. */
  number(row: number, name: NumberName): number | null {
    return known(this.#numbers[name][row]);
  }

  /** In the quote. */
  turnover(row: number): number | null {
    return product(this.number(row, 'volume'), this.number(row, 'close'));
  }

  /** Of the 24 hours that end with the bar, in the quote; of a longer bar, its own. Unknown if the bars began less than 24 hours ago. */
  turnover24h(row: number): number | null {
    if (!isFinerThanDay(this.#interval)) return this.turnover(row);
    const since = this.end(row) - MILLIS_PER_DAY;
    if (this.start(0) > since) return null;
    let volume = 0;
    for (let i = partitionPoint(0, row, each => this.start(each) < since); i <= row; i++) {
      volume += this.#numbers.volume[i]!;
    }
    return product(known(volume), this.number(row, 'close'));
  }

  /** The rows between two places, both included, if places ascend from row to row: the first row, and the one behind the last. */
  between(placeOf: (row: number) => number, from: number, to: number): readonly [first: number, end: number] {
    const first = partitionPoint(0, this.rows, row => placeOf(row) < from);
    return [first, partitionPoint(first, this.rows, row => placeOf(row) <= to)];
  }
}

/** Candles that each consist of so many consecutive periods, counted from 1970. A candle stands at the row of its last bar. */
export class Candles {
  readonly #bars: AssetBars;
  readonly #interval: Interval;
  readonly #periods: number;

  constructor(bars: AssetBars, { interval, periods }: CandleLength) {
    this.#bars = bars;
    this.#interval = interval;
    this.#periods = periods;
  }

  /** The number of the candle that the bar is part of. */
  place(row: number): number {
    return Math.floor(this.#bars.period(row) / this.#periods);
  }

  isLast(row: number): boolean {
    return row === this.#bars.rows - 1 || this.place(row + 1) !== this.place(row);
  }

  start(row: number): number {
    return startOfPeriod(this.#interval, this.place(row) * this.#periods);
  }

  end(row: number): number {
    return startOfPeriod(this.#interval, (this.place(row) + 1) * this.#periods);
  }

  /** What is unknown in one of the bars is unknown in the candle, except for the prices at its ends. */
  number(row: number, name: NumberName): number | null {
    let first = row;
    while (first > 0 && this.place(first - 1) === this.place(row)) first--;
    if (name === 'open') return this.#bars.number(first, name);
    let found = this.#bars.number(name === 'close' ? row : first, name);
    if (name === 'close') return found;
    for (let i = first + 1; i <= row && found !== null; i++) {
      const value = this.#bars.number(i, name);
      found = value === null ? null : JOINED[name](found, value);
    }
    return found;
  }

  /** In dollars. */
  turnover(row: number): number | null {
    return product(this.number(row, 'volume'), this.number(row, 'close'));
  }
}

const JOINED = { high: Math.max, low: Math.min, volume: (a: number, b: number) => a + b } as const;

/** Of days and of shorter intervals. */
export interface CandleLength {
  readonly interval: Interval;
  readonly periods: number;
}

export async function readBars(
  context: ServiceContext,
  request: ApiRequest,
  { id }: IndexedAsset,
  interval: Interval = '1d',
  quote: QuoteAsset | null = null,
): Promise<AssetBars> {
  const plan = { interval, usesOptional: false, quote };
  const { table } = await request.slot(atTurn =>
    barsOf(context)({ by: 'id', text: id }, plan, { run: request.run, atTurn }),
  );
  if (typeof table === 'function') throw new Error('the bars of an asset are not there');
  return new AssetBars(table);
}

/** The market capitalisation with the latest close, in the quote of the bars. That of past days is unknown. */
export function marketCapNow(
  market: Market,
  asset: IndexedAsset,
  bars: AssetBars,
  quote: QuoteAsset | null,
): number | null {
  const row = market.rowOf(asset);
  if (quote === null) return market.number(row, 'market_cap');
  return bars.rows === 0 ? null : product(market.number(row, 'supply'), bars.number(bars.rows - 1, 'close'));
}

/** Whether the store has bars of the interval. Days are always there. */
export function isServed(context: ServiceContext, interval: Interval): boolean {
  return baseOf(interval) === '1d' || context.intervals().some(each => each.interval === interval);
}

/** Refuses an interval that the store has no bars of. `intervals`: those that the parameter takes, by the names that the service has for them. */
export function requireServed(
  context: ServiceContext,
  parameter: string,
  name: string,
  intervals: ReadonlyMap<string, Interval>,
): void {
  const interval = intervals.get(name);
  if (interval === undefined || isServed(context, interval)) return;
  const served = [...intervals].filter(([, each]) => isServed(context, each)).map(([each]) => each);
  throw invalidValue(parameter, name, `one of ${served.join(', ')}: the store has no bars of ${interval}`);
}

/** In milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Whether the asset has bars of the interval from the start of the span on, or at most a day later, up to the day on which it ends. */
export async function covers(
  context: ServiceContext,
  { snapshot: { version } }: Market,
  asset: SpannedAsset,
  { from, to }: TimeSpan,
  interval: Interval,
): Promise<boolean> {
  const { firstDay, lastDay } = asset;
  if (!isFinerThanDay(interval) || firstDay === null || lastDay === null) return true;
  const { span } = await publishedOf(context).span(asset, interval, version);
  if (span === null) return false;
  const dayOf = coarserPeriod(baseOf(interval), '1d');
  // A span that ends at midnight has nothing of the next day.
  const [first, last] = [Math.floor(from / MILLIS_PER_DAY), Math.ceil(to / MILLIS_PER_DAY) - 1];
  return dayOf(span.first) <= Math.max(first, firstDay) + 1 && dayOf(span.last) >= Math.min(last, lastDay);
}

/** Days of history that every tier includes. */
const DAYS_FOR_ALL = 365;

/** The first day of history that the tier includes, in days since 1970. */
export function firstDayFor({ tier }: ApiRequest, now: number): number {
  return tier.export ? 0 : Math.floor(now / MILLIS_PER_DAY) - DAYS_FOR_ALL;
}

/** Tiers without exports have a year of history in the shapes of other services, as the free plans of these services have. */
export function requireHistory({ tier }: ApiRequest, days: number): void {
  if (tier.export || days <= DAYS_FOR_ALL) return;
  throw new ApiError('not_in_tier', `The tier ${tier.name} includes the past ${DAYS_FOR_ALL} days.`, {
    hint: 'Ask for fewer days, or ask the operator for an API key of a tier with export=yes.',
  });
}

// The closes of a quote, which prices are divided by.
//
// A price is divided by the quote's close of its own period of the base interval: a day for `1d` and `1w`, an hour for `4h`. A period
// without a close of the quote has the close before it, unless that is more than a week older. A bar of a period without such a close
// does not exist in the quote.

import { partitionPoint } from '../common/partition-point.ts';
import { type BarColumns, barColumns } from '../domain/bar.ts';
import { type BaseInterval, LAST_PERIOD } from '../domain/interval.ts';
import { quoteCarry } from '../domain/quote.ts';
import type { Closes } from '../store/port/replaced-closes.ts';

/** Periods of a quote that are in memory one by one: more than there are days and hours. */
const MOST_DENSE = 2 ** 20;

const PRICES = ['open', 'high', 'low', 'close'] as const;

export class QuoteCloses {
  readonly #day: Int32Array;
  readonly #close: Float64Array;
  readonly #carry: number;
  /** Undefined until it is needed. */
  #dense: Float64Array | null | undefined;
  /** Place of the close that was looked up last: most periods follow one another. */
  #place = 0;

  /** Oldest first. */
  constructor(base: BaseInterval, { day, close }: Closes) {
    this.#day = day;
    this.#close = close;
    this.#carry = quoteCarry(base);
  }

  /** Infinity without closes. */
  get first(): number {
    return this.#day[0] ?? Number.POSITIVE_INFINITY;
  }

  /** The close that a period has, its own or one that is carried forward; NaN without one. */
  at(period: number): number {
    const place = this.#placeOf(period);
    return place >= 0 && period - this.#day[place]! <= this.#carry ? this.#close[place]! : Number.NaN;
  }

  /** The newest period up to this one that has a close; -1 without one. */
  lastUpTo(period: number): number {
    const place = this.#placeOf(period);
    return place < 0 ? -1 : Math.min(period, this.#day[place]! + this.#carry);
  }

  /**
   * Divides closes in place, each by the close of its day: that of the first one and those that follow, or those given. Returns whether
   * each of them has one.
   */
  divide(closes: Float64Array, firstDay: number, days: Int32Array | null): boolean {
    if (this.#dense === undefined) this.#dense = this.#densely();
    const dense = this.#dense;
    const { first } = this;
    let known = true;
    for (let i = 0; i < closes.length; i++) {
      const day = days === null ? firstDay + i : days[i]!;
      const divisor = dense === null ? this.at(day) : dense[day - first]!;
      // Neither what is outside of the array nor NaN is above 0.
      if (!(divisor > 0)) known = false;
      closes[i]! /= divisor;
    }
    return known;
  }

  /** The close of each period from the first on; null if they are too many. */
  #densely(): Float64Array | null {
    const { first } = this;
    const last = this.lastUpTo(LAST_PERIOD);
    if (last < 0 || last - first >= MOST_DENSE) return null;
    return Float64Array.from({ length: last - first + 1 }, (_, i) => this.at(first + i));
  }

  /** The bars in the quote, oldest first. Volumes stay as they are: in units of the asset. */
  convertBars(bars: BarColumns): BarColumns {
    const { places, divisors } = this.#divisors(bars.day);
    const found = barColumns(places.length);
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!;
      found.day[i] = bars.day[place]!;
      found.volume[i] = bars.volume[place]!;
      for (const name of PRICES) found[name][i] = bars[name][place]! / divisors[i]!;
    }
    return found;
  }

  convertCloses({ day, close }: Closes): Closes {
    const { places, divisors } = this.#divisors(day);
    return {
      day: Int32Array.from(places, place => day[place]!),
      close: divisors.map((divisor, i) => close[places[i]!]! / divisor),
    };
  }

  /** The places of the periods that have a close, and these closes. */
  #divisors(periods: Int32Array): { readonly places: Uint32Array; readonly divisors: Float64Array } {
    const places = new Uint32Array(periods.length);
    const divisors = new Float64Array(periods.length);
    let count = 0;
    for (let i = 0; i < periods.length; i++) {
      const divisor = this.at(periods[i]!);
      if (Number.isNaN(divisor)) continue;
      places[count] = i;
      divisors[count++] = divisor;
    }
    return { places: places.subarray(0, count), divisors: divisors.slice(0, count) };
  }

  /** Of the newest close up to a period; -1 without one. */
  #placeOf(period: number): number {
    const days = this.#day;
    let place = this.#place;
    if (!(days[place]! <= period && !(days[place + 1]! <= period))) {
      const isNext = days[place + 1]! <= period && !(days[place + 2]! <= period);
      place = isNext ? place + 1 : partitionPoint(0, days.length, at => days[at]! <= period) - 1;
      this.#place = Math.max(0, place);
    }
    return place;
  }
}

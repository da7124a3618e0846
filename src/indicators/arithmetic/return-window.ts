// The last n daily log returns of a series, day after day, their mean, and the sums of squares and products around their means: what
// Sharpe ratios, betas and correlations are made of.
//
// Σ (r − mean)² = Σ r² − n · mean² cancels nothing as long as returns vary more than they grow, as nearly all do. Otherwise they are
// summed around their mean. A log return has a relative error of about 5e-16. When returns are nearly equal (steady growth), their spread is
// far smaller than they are, and that error would show: at a ratio of 100 it is still below 1e-13. Beyond that ratio, each return is
// replaced by its difference from the last one, which is accurate itself, and 0 if the ratios are equal. Sums around a mean are the same
// for both.

import type { ReturnSeries } from '../return-series.ts';
import { logReturn, logReturnDifference } from './log-return.ts';
import { sum } from './sum.ts';
import { windowProducts } from './window-products.ts';

/** n · mean² as a share of Σ r²: the largest that is subtracted. */
export const LARGEST_SUBTRACTED: number = 1 / 16;
const LARGEST_MEAN_TO_DEVIATION_SQUARED = 100 ** 2;

export class ReturnWindow {
  readonly #series: ReturnSeries;
  readonly #count: number;
  /** The days that there are sums of begin there. */
  readonly #first: number;
  /** Σ r² by day. */
  readonly #sums: Float64Array;
  /** Made when it is first needed, which is seldom. */
  #differences: Float64Array | null = null;
  /** The numbers around whose mean sums are made: the returns, or their differences. */
  #values: Float64Array;
  #from = 0;
  #meanOfValues = 0;
  #last = -1;
  /** Of the log returns; a logarithm of one quotient, which cancels nothing. */
  mean = 0;
  /** Σ (r − mean)². Exactly 0 if all returns are equal. */
  squares = 0;
  /** Whether `squares` is Σ r² less a small part of it. */
  isVaried = false;

  /** To be moved to the days `first … end - 1`; there must be `count` returns up to the first. */
  constructor(series: ReturnSeries, count: number, first: number, end: number) {
    const { returns, firstDay } = series;
    this.#series = series;
    this.#count = count;
    this.#first = first;
    this.#sums = new Float64Array(Math.max(0, end - first));
    windowProducts({ a: returns, b: returns, shift: 0, firstDay }, count, first, end, this.#sums);
    this.#values = returns;
  }

  /** Makes `last` the day of the last return. */
  moveTo(last: number): void {
    if (last === this.#last) return;
    this.#last = last;
    const { closes, returns } = this.#series;
    const count = this.#count;
    const total = logReturn(closes[last - count]!, closes[last]!);
    this.mean = total / count;
    const squares = this.#sums[last - this.#first]!;
    this.isVaried = total * this.mean <= LARGEST_SUBTRACTED * squares;
    this.#values = returns;
    this.#from = last - count + 1;
    this.#meanOfValues = this.mean;
    if (this.isVaried) {
      this.squares = squares - total * this.mean;
      return;
    }
    this.#use(returns, this.#from);
    const mean = this.#meanOfValues;
    if (mean * mean <= (LARGEST_MEAN_TO_DEVIATION_SQUARED * this.squares) / count) return;
    this.#differences ??= new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const at = last - count + i;
      this.#differences[i] = logReturnDifference(closes[at]!, closes[at + 1]!, closes[last - 1]!, closes[last]!);
    }
    this.#use(this.#differences, 0);
  }

  #use(values: Float64Array, from: number): void {
    this.#values = values;
    this.#from = from;
    this.#meanOfValues = sum(values, from, from + this.#count) / this.#count;
    this.squares = this.productsAround(this);
  }

  /** |mean| / standard deviation, of the numbers that sums are made of. */
  get meanToDeviation(): number {
    return Math.abs(this.#meanOfValues) / Math.sqrt(this.squares / this.#count);
  }

  /**
   * Σ (a − mean a)(b − mean b). The second term takes back what the rounding of the means has changed, so that the error is about
   * n · 1.1e-16 of Σ |a − mean a| |b − mean b|.
   */
  productsAround(other: ReturnWindow): number {
    const count = this.#count;
    const a = this.#values;
    const b = other.#values;
    const aMean = this.#meanOfValues;
    const bMean = other.#meanOfValues;
    let products = 0;
    let aRest = 0;
    let bRest = 0;
    for (let i = this.#from, j = other.#from, left = count; left > 0; i++, j++, left--) {
      const x = a[i]! - aMean;
      const y = b[j]! - bMean;
      products += x * y;
      aRest += x;
      bRest += y;
    }
    return products - (aRest * bRest) / count;
  }
}

// The last n daily log returns of a series, day after day, and the sums of squares and products around their means: what Sharpe
// ratios, betas and correlations are made of.
//
// A log return has a relative error of about 5e-16. When returns are nearly equal (steady growth), their spread is far smaller than
// they are, and that error would show: at a ratio of 100 it is still below 1e-13. Beyond that ratio, each return is replaced by its
// difference from the last one, which is accurate itself, and 0 if the ratios are equal. Sums around a mean are the same for both.

import { logReturnDifference } from './log-return.ts';
import { sum, twoSums } from './sum.ts';

const LARGEST_MEAN_TO_DEVIATION_SQUARED = 100 ** 2;

/** Windows at once, when days follow each other: with one, each addition would wait for the one before. */
const AT_ONCE = 4;

interface WindowsAhead {
  first: number;
  readonly means: Float64Array;
  readonly squares: Float64Array;
}

export class ReturnWindow {
  readonly #closes: Float64Array;
  readonly #returns: Float64Array;
  readonly #count: number;
  /** Made when it is first needed, which is seldom. */
  #differences: Float64Array | null = null;
  /** By the day of the last return, mean and squares of the windows that there were; null: they are not kept. */
  readonly #kept: { readonly means: Float64Array; readonly squares: Float64Array } | null;
  /** Mean and squares of the windows whose last days are `first …`; made for the second day, because most windows are of one. */
  #ahead: WindowsAhead | null = null;
  #values: Float64Array;
  #from = 0;
  #last = -1;
  #mean = 0;
  /** Σ (r − mean)². Exactly 0 if all returns are equal. */
  squares = 0;

  /** `returns[day]` is the log return from the day before to `day`. `keep`: a window that is moved over the same days again and again. */
  constructor(closes: Float64Array, returns: Float64Array, count: number, keep: boolean = false) {
    this.#closes = closes;
    this.#returns = returns;
    this.#count = count;
    this.#values = returns;
    const ofDays = () => new Float64Array(returns.length).fill(Number.NaN);
    this.#kept = keep ? { means: ofDays(), squares: ofDays() } : null;
  }

  /** Makes `last` the day of the last return; there must be `count` of them up to it. */
  moveTo(last: number): void {
    if (last === this.#last) return;
    const isNext = last === this.#last + 1;
    this.#last = last;
    if (this.#kept !== null) this.#useKept(this.#kept, last);
    else if (!this.#useAhead(last, isNext)) this.#use(this.#returns, last - this.#count + 1);
    const mean = this.#mean;
    if (mean * mean <= (LARGEST_MEAN_TO_DEVIATION_SQUARED * this.squares) / this.#count) return;
    const closes = this.#closes;
    this.#differences ??= new Float64Array(this.#count);
    for (let i = 0; i < this.#count; i++) {
      const at = last - this.#count + i;
      this.#differences[i] = logReturnDifference(closes[at]!, closes[at + 1]!, closes[last - 1]!, closes[last]!);
    }
    this.#use(this.#differences, 0);
  }

  #useKept({ means, squares }: { readonly means: Float64Array; readonly squares: Float64Array }, last: number): void {
    if (Number.isNaN(means[last])) {
      this.#use(this.#returns, last - this.#count + 1);
      means[last] = this.#mean;
      squares[last] = this.squares;
    } else this.#useSums(last, means[last]!, squares[last]!);
  }

  /** False if there are none of this day, and it does not follow the day before. */
  #useAhead(last: number, isNext: boolean): boolean {
    if (!isNext && this.#ahead === null) return false;
    this.#ahead ??= { first: -AT_ONCE, means: new Float64Array(AT_ONCE), squares: new Float64Array(AT_ONCE) };
    const ahead = this.#ahead;
    if (isNext && last >= ahead.first + AT_ONCE && last + AT_ONCE <= this.#closes.length) this.#lookAhead(last, ahead);
    const at = last - ahead.first;
    if (at < 0 || at >= AT_ONCE) return false;
    this.#useSums(last, ahead.means[at]!, ahead.squares[at]!);
    return true;
  }

  #useSums(last: number, mean: number, squares: number): void {
    this.#values = this.#returns;
    this.#from = last - this.#count + 1;
    this.#mean = mean;
    this.squares = squares;
  }

  /** The same numbers as of one window after the other, to the last bit. */
  #lookAhead(first: number, ahead: WindowsAhead): void {
    const values = this.#returns;
    const count = this.#count;
    const { means, squares } = ahead;
    const from = first - count + 1;
    twoSums(values, from, from + count, means, 0);
    twoSums(values, from + 2, from + 2 + count, means, 2);
    const mean0 = means[0]! / count;
    const mean1 = means[1]! / count;
    const mean2 = means[2]! / count;
    const mean3 = means[3]! / count;
    let squares0 = 0;
    let squares1 = 0;
    let squares2 = 0;
    let squares3 = 0;
    let rest0 = 0;
    let rest1 = 0;
    let rest2 = 0;
    let rest3 = 0;
    for (let i = from, end = from + count; i < end; i++) {
      const x0 = values[i]! - mean0;
      const x1 = values[i + 1]! - mean1;
      const x2 = values[i + 2]! - mean2;
      const x3 = values[i + 3]! - mean3;
      squares0 += x0 * x0;
      rest0 += x0;
      squares1 += x1 * x1;
      rest1 += x1;
      squares2 += x2 * x2;
      rest2 += x2;
      squares3 += x3 * x3;
      rest3 += x3;
    }
    means[0] = mean0;
    means[1] = mean1;
    means[2] = mean2;
    means[3] = mean3;
    squares[0] = squares0 - (rest0 * rest0) / count;
    squares[1] = squares1 - (rest1 * rest1) / count;
    squares[2] = squares2 - (rest2 * rest2) / count;
    squares[3] = squares3 - (rest3 * rest3) / count;
    ahead.first = first;
  }

  #use(values: Float64Array, from: number): void {
    this.#values = values;
    this.#from = from;
    this.#mean = sum(values, from, from + this.#count) / this.#count;
    this.squares = this.#squaresAroundMean();
  }

  /** |mean| / standard deviation, of the numbers that sums are made of. */
  get meanToDeviation(): number {
    return Math.abs(this.#mean) / Math.sqrt(this.squares / this.#count);
  }

  /** `productsWith(this)`, with the same roundings and half of the work. */
  #squaresAroundMean(): number {
    const values = this.#values;
    const mean = this.#mean;
    const to = this.#from + this.#count;
    let squares = 0;
    let rest = 0;
    for (let i = this.#from; i < to; i++) {
      const x = values[i]! - mean;
      squares += x * x;
      rest += x;
    }
    return squares - (rest * rest) / this.#count;
  }

  /**
   * Σ (a − mean a)(b − mean b). The second term takes back what the rounding of the means has changed, so that the error is about
   * n · 1.1e-16 of Σ |a − mean a| |b − mean b|.
   */
  productsWith(other: ReturnWindow): number {
    const count = this.#count;
    const a = this.#values;
    const b = other.#values;
    const aMean = this.#mean;
    const bMean = other.#mean;
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

// Log returns and their covariance in double-double arithmetic, for returns that hardly correlate: their covariance is a sum whose terms
// cancel nearly to nothing, and the error of a double in each term would be all that is left.
//
// Each return has a relative error of about 1e-30. They are shifted by the last one, so that returns which are nearly equal keep the
// digits in which they differ.

import { DoubleDouble, productError, sumError } from './double-double.ts';

/** Returns are computed when they are first used: `low` is NaN until then. */
export class PreciseReturns {
  readonly #closes: Float64Array;
  readonly #high: Float64Array;
  readonly #low: Float64Array;

  constructor(closes: Float64Array) {
    this.#closes = closes;
    this.#high = new Float64Array(closes.length);
    this.#low = new Float64Array(closes.length).fill(Number.NaN);
  }

  /**
   * Σ (a − mean a)(b − mean b) of the `count` returns up to `last`, and of those of the other up to `otherLast`. The steps are those of
   * `DoubleDouble`, in local numbers, which the processor keeps in registers.
   */
  productsWith(other: PreciseReturns, last: number, otherLast: number, count: number): number {
    for (let back = count - 1; back >= 0; back--) {
      this.#compute(last - back);
      other.#compute(otherLast - back);
    }
    const [aHighs, aLows, bHighs, bLows] = [this.#high, this.#low, other.#high, other.#low];
    const aLast = aHighs[last]!;
    const aLastLow = aLows[last]!;
    const bLast = bHighs[otherLast]!;
    const bLastLow = bLows[otherLast]!;
    let aSum = 0;
    let aSumLow = 0;
    let bSum = 0;
    let bSumLow = 0;
    let products = 0;
    let productsLow = 0;
    for (let back = count - 1; back > 0; back--) {
      // The returns less the last ones.
      let rounded = aHighs[last - back]! - aLast;
      let rest = sumError(aHighs[last - back]!, -aLast, rounded) + (aLows[last - back]! - aLastLow);
      const a = rounded + rest;
      const aLow = rest - (a - rounded);
      rounded = bHighs[otherLast - back]! - bLast;
      rest = sumError(bHighs[otherLast - back]!, -bLast, rounded) + (bLows[otherLast - back]! - bLastLow);
      const b = rounded + rest;
      const bLow = rest - (b - rounded);

      rounded = aSum + a;
      rest = sumError(aSum, a, rounded) + (aSumLow + aLow);
      aSum = rounded + rest;
      aSumLow = rest - (aSum - rounded);
      rounded = bSum + b;
      rest = sumError(bSum, b, rounded) + (bSumLow + bLow);
      bSum = rounded + rest;
      bSumLow = rest - (bSum - rounded);

      rounded = a * b;
      rest = productError(a, b, rounded) + (a * bLow + aLow * b);
      const product = rounded + rest;
      const productLow = rest - (product - rounded);
      rounded = products + product;
      rest = sumError(products, product, rounded) + (productsLow + productLow);
      products = rounded + rest;
      productsLow = rest - (products - rounded);
    }
    const means = new DoubleDouble(aSum, aSumLow).multiply(bSum, bSumLow).divide(count);
    return new DoubleDouble(products, productsLow).add(-means.high, -means.low).high;
  }

  #compute(day: number): void {
    if (!Number.isNaN(this.#low[day]!)) return;
    const value = preciseLogReturn(this.#closes[day - 1]!, this.#closes[day]!);
    [this.#high[day], this.#low[day]] = [value.high, value.low];
  }
}

/** Of s; beyond, a ratio is replaced by its square root. */
const LARGEST_ARGUMENT = 0.05;
/** s²ᵏ / (2k + 1) of the first term that is left out is below 1e-33. */
const TERMS = 12;
/** 1 / (2k + 1). */
const RECIPROCALS: readonly DoubleDouble[] = Array.from({ length: TERMS + 1 }, (_, k) =>
  new DoubleDouble(1).divide(2 * k + 1),
);

/** ln(later / earlier) = 2ᵏ · 2 · artanh((q − 1) / (q + 1)), q the ratio after k square roots. */
export function preciseLogReturn(earlier: number, later: number): DoubleDouble {
  const [difference, total] = [later - earlier, later + earlier];
  // Both are exact with their errors.
  const s = new DoubleDouble(difference, sumError(later, -earlier, difference));
  const below = new DoubleDouble(total, sumError(later, earlier, total));
  let scale = 2;
  if (Math.abs(difference) > LARGEST_ARGUMENT * total) {
    const ratio = new DoubleDouble(later).divide(earlier);
    for (; Math.abs(ratio.high - 1) > LARGEST_ARGUMENT; scale *= 2) ratio.squareRoot();
    s.set(ratio.high, ratio.low).add(-1);
    below.set(ratio.high, ratio.low).add(1);
  }
  s.divide(below.high, below.low);
  const square = new DoubleDouble(s.high, s.low).multiply(s.high, s.low);
  // Horner's scheme, the smallest term first, with the steps of `DoubleDouble` in local numbers.
  const { high: x, low: xLow } = square;
  let high = 0;
  let low = 0;
  for (let k = TERMS; k >= 0; k--) {
    let rounded = high * x;
    let rest = productError(high, x, rounded) + (high * xLow + low * x);
    const product = rounded + rest;
    const productLow = rest - (product - rounded);
    const reciprocal = RECIPROCALS[k]!;
    rounded = product + reciprocal.high;
    rest = sumError(product, reciprocal.high, rounded) + (productLow + reciprocal.low);
    high = rounded + rest;
    low = rest - (high - rounded);
  }
  const series = new DoubleDouble(high, low);
  series.multiply(s.high, s.low);
  // A power of two.
  return series.set(series.high * scale, series.low * scale);
}

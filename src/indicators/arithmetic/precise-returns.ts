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
    if (Number.isNaN(this.#low[day]!))
      preciseLogReturn(this.#closes[day - 1]!, this.#closes[day]!, this.#high, this.#low, day);
  }
}

/** Of s; beyond, a ratio is replaced by its square root. */
const LARGEST_ARGUMENT = 0.05;
/** s²ᵏ / (2k + 1) of the first term that is left out is below 1e-33. */
const TERMS = 12;
/** Terms from this one on are below 1e-14 of the first: a double has digits enough for them. */
const SMALL_TERMS = 5;
/** 1 / (2k + 1). */
const RECIPROCALS: readonly Readonly<DoubleDouble>[] = Array.from({ length: SMALL_TERMS }, (_, k) =>
  new DoubleDouble(1).divide(2 * k + 1),
);

/** ln(later / earlier) = 2ᵏ · 2 · artanh((q − 1) / (q + 1)), q the ratio after k square roots, to `highs[at]` and `lows[at]`. */
export function preciseLogReturn(
  earlier: number,
  later: number,
  highs: Float64Array,
  lows: Float64Array,
  at: number,
): void {
  let difference = later - earlier;
  let total = later + earlier;
  // Both are exact with what rounding took from them.
  let differenceLow = sumError(later, -earlier, difference);
  let totalLow = sumError(later, earlier, total);
  let scale = 2;
  if (Math.abs(difference) > LARGEST_ARGUMENT * total) {
    const ratio = new DoubleDouble(later).divide(earlier);
    for (; Math.abs(ratio.high - 1) > LARGEST_ARGUMENT; scale *= 2) ratio.squareRoot();
    const { high, low } = ratio;
    ({ high: difference, low: differenceLow } = new DoubleDouble(high, low).add(-1));
    ({ high: total, low: totalLow } = new DoubleDouble(high, low).add(1));
  }
  // From here on, the steps of `DoubleDouble` in local numbers.
  const quotient = difference / total;
  let rounded = quotient * total;
  let rest = difference - rounded - productError(quotient, total, rounded) + differenceLow - quotient * totalLow;
  const s = quotient + rest / total;
  const sLow = rest / total - (s - quotient);

  rounded = s * s;
  rest = productError(s, s, rounded) + 2 * s * sLow;
  const x = rounded + rest;
  const xLow = rest - (x - rounded);

  // Horner's scheme, the smallest term first.
  let high = 0;
  for (let k = TERMS; k >= SMALL_TERMS; k--) high = high * x + 1 / (2 * k + 1);
  let low = 0;
  for (let k = SMALL_TERMS - 1; k >= 0; k--) {
    rounded = high * x;
    rest = productError(high, x, rounded) + (high * xLow + low * x);
    const product = rounded + rest;
    const productLow = rest - (product - rounded);
    const reciprocal = RECIPROCALS[k]!;
    rounded = product + reciprocal.high;
    rest = sumError(product, reciprocal.high, rounded) + (productLow + reciprocal.low);
    high = rounded + rest;
    low = rest - (high - rounded);
  }

  rounded = high * s;
  rest = productError(high, s, rounded) + (high * sLow + low * s);
  const product = rounded + rest;
  // A power of two.
  highs[at] = product * scale;
  lows[at] = (rest - (product - rounded)) * scale;
}

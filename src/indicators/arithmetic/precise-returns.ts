// Log returns and their covariance in double-double arithmetic, for returns that hardly correlate: their covariance is a sum whose terms
// cancel nearly to nothing, and the error of a double in each term would be all that is left.
//
// Each return has a relative error of about 1e-30. They are shifted by the last one, so that returns which are nearly equal keep the
// digits in which they differ.

import { DoubleDouble, sumError } from './double-double.ts';

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

  /** Σ (a − mean a)(b − mean b) of the `count` returns up to `last`, and of those of the other up to `otherLast`. */
  productsWith(other: PreciseReturns, last: number, otherLast: number, count: number): number {
    const [aSum, bSum, products] = [new DoubleDouble(), new DoubleDouble(), new DoubleDouble()];
    const [a, b] = [new DoubleDouble(), new DoubleDouble()];
    for (let back = count - 1; back > 0; back--) {
      this.#difference(last - back, last, a);
      other.#difference(otherLast - back, otherLast, b);
      aSum.add(a.high, a.low);
      bSum.add(b.high, b.low);
      a.multiply(b.high, b.low);
      products.add(a.high, a.low);
    }
    aSum.multiply(bSum.high, bSum.low).divide(count);
    return products.add(-aSum.high, -aSum.low).high;
  }

  /** The return of one day less that of another. */
  #difference(day: number, from: number, to: DoubleDouble): void {
    this.#compute(day);
    this.#compute(from);
    to.set(this.#high[day]!, this.#low[day]!).add(-this.#high[from]!, -this.#low[from]!);
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
  const series = new DoubleDouble();
  // Horner's scheme, the smallest term first.
  for (let k = TERMS; k >= 0; k--) {
    const { high, low } = RECIPROCALS[k]!;
    series.multiply(square.high, square.low).add(high, low);
  }
  series.multiply(s.high, s.low);
  // A power of two.
  return series.set(series.high * scale, series.low * scale);
}

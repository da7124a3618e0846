// The daily log returns of a window less some constant, accurate relative to their spread: what variances and covariances of
// returns are made of.
//
// A log return has a relative error of about 5e-16. When returns are nearly equal (steady growth), their spread is far smaller than
// they are, and that error would show: at a ratio of 100 it is still below 1e-13. Beyond that ratio, each return is taken as its
// difference from the last one, which is accurate itself, and 0 if the ratios are equal.

import { logReturnDifference, logReturns } from './log-return.ts';

const LARGEST_MEAN_TO_DEVIATION_SQUARED = 100 ** 2;

/** Of the `count` returns that end on day `last`. */
export function returnDeviations(closes: Float64Array, last: number, count: number, out: Float64Array): void {
  logReturns(closes, last - count, count, out);
  const mean = meanOf(out, count);
  const variance = covarianceSum(out, out, count) / count;
  if (mean * mean <= LARGEST_MEAN_TO_DEVIATION_SQUARED * variance) return;
  const [earlier, later] = [closes[last - 1]!, closes[last]!];
  for (let i = 0; i < count; i++) {
    const at = last - count + i;
    out[i] = logReturnDifference(closes[at]!, closes[at + 1]!, earlier, later);
  }
}

/**
 * Σ (a − mean a)(b − mean b) in two passes. The second sum takes back what the rounding of the means has changed, so that the error
 * is about n · 1.1e-16 of Σ |a − mean a| |b − mean b|.
 */
export function covarianceSum(a: Float64Array, b: Float64Array, count: number): number {
  const [aMean, bMean] = [meanOf(a, count), meanOf(b, count)];
  let [products, aRest, bRest] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const [x, y] = [a[i]! - aMean, b[i]! - bMean];
    products += x * y;
    aRest += x;
    bRest += y;
  }
  return products - (aRest * bRest) / count;
}

function meanOf(values: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i]!;
  return sum / count;
}

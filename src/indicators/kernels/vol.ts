// Annualised volatility in percent: sample standard deviation of the last min(n, available − 1) log returns,
// times √(periods per year) · 100.
//
// A log return has a relative error of about 5e-16. When returns are nearly equal (steady growth), their deviation is far smaller
// than they are, and that error would show: at a ratio of 100 it is still below 1e-13. Beyond that ratio, the deviation is
// computed from differences of log returns, which are accurate themselves.

import { logReturnDifference, logReturns } from '../arithmetic/log-return.ts';
import { spread } from '../arithmetic/spread.ts';
import type { Kernel } from '../kernel.ts';

const LARGEST_MEAN_TO_DEVIATION_SQUARED = 100 ** 2;

/** Scratch buffer. */
let returns = new Float64Array(512);

/** `returnsVariance` and `mean` are of the `count` daily returns that end at `last`. */
function deviation(closes: Float64Array, last: number, count: number, returnsVariance: number, mean: number): number {
  return mean * mean > LARGEST_MEAN_TO_DEVIATION_SQUARED * returnsVariance
    ? Math.sqrt(nearlyEqualReturnsVariance(closes, last, count))
    : Math.sqrt(returnsVariance);
}

function nearlyEqualReturnsVariance(closes: Float64Array, last: number, count: number): number {
  if (count < 2) return 0;
  const earlier = closes[last - 1]!;
  const later = closes[last]!;
  let sum = 0;
  let squares = 0;
  for (let i = last - count + 1; i < last; i++) {
    const d = logReturnDifference(closes[i - 1]!, closes[i]!, earlier, later);
    sum += d;
    squares += d * d;
  }
  return spread(count, sum, squares, count - 1);
}

export const kernel: Kernel = ({ closes, start, end, periodsPerYear }, first, lengths, out, row) => {
  const percentPerYear = 100 * Math.sqrt(periodsPerYear);
  // All returns that the days need, once.
  const before = Math.max(start, first - lengths[lengths.length - 1]!);
  const count = end - 1 - before;
  if (returns.length < count) returns = new Float64Array(count);
  const daily = returns;
  logReturns(closes, before, count, daily);
  for (let day = first; day < end; day++) {
    const newest = day - before - 1;
    const available = day - start;
    const anchor = available > 0 ? daily[newest]! : 0;
    let sum = 0;
    let squares = 0;
    let counted = 0;
    for (let k = 0; k < lengths.length; k++) {
      const returnCount = Math.min(lengths[k]!, available);
      for (; counted < returnCount; counted++) {
        const d = daily[newest - counted]! - anchor;
        sum += d;
        squares += d * d;
      }
      const mean = returnCount > 0 ? anchor + sum / returnCount : 0;
      const variance = spread(returnCount, sum, squares, returnCount - 1);
      out[k]![0][row + day - first] = percentPerYear * deviation(closes, day, returnCount, variance, mean);
    }
  }
};

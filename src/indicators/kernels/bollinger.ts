// Bollinger bands and the z-score of the last n closes, σ being the population standard deviation √var:
// zscore = (C₀ − sma)/σ, upper and lower = sma ± 2σ, pct = (C₀ − lower)/(upper − lower), width = (upper − lower)/sma.
//
// Of a price near its mean or at a band, where nearly equal numbers are subtracted, doubles keep too few digits: then differences from
// the latest close, which are exact in double-double arithmetic, and sums, which nearly are, take their place.

import { DoubleDouble, productError, sumError } from '../arithmetic/double-double.ts';
import type { Kernel, Outputs, Series } from '../kernel.ts';

/** Missing without a full window, or if all closes are equal. */
export const kernel: Kernel = (series, first, lengths, out, row) => {
  for (let k = 0; k < lengths.length; k++) {
    for (const values of out[k]!) values.fill(Number.NaN, row, row + series.end - first);
    bands(series, lengths[k]!, first, out[k]!, row - first);
  }
};

/** A difference that is a smaller share of what is subtracted is computed again, with more digits. */
const LEAST_LEFT = 1 / 64;
/** At the lower band, which is two σ from the mean: the error of σ counts twice. */
const LEAST_AT_BAND = 1 / 16;
/** In standard deviations: a mean that is further from the reference takes most of Σ d² with it. */
const MOST_OFFSET = 4;

/** Σ d and Σ d² of the ends of a block, by their length. */
let tails = new Float64Array(0);
let tailSquares = new Float64Array(0);

/**
 * A day is written to the row `shift` further. The two parts of a window are those of `windowProducts`. d is the difference from the
 * close at the boundary, which is in the window, and so mostly near its mean.
 */
function bands(series: Series, length: number, first: number, out: Outputs, shift: number): void {
  const { closes, firstDay, end } = series;
  const [zscore, upper, lower, pct, width] = out;
  for (let day = Math.max(first, length - 1); day < end; ) {
    const boundary = day - ((firstDay + day) % length);
    const reference = closes[boundary]!;
    distancesBefore(closes, boundary, length - 1 - (day - boundary));
    let sum = 0;
    let squares = 0;
    const blockEnd = Math.min(boundary + length, end);
    for (let i = boundary; i < blockEnd; i++) {
      const d = closes[i]! - reference;
      sum += d;
      squares += d * d;
      if (i < day) continue;
      const tail = boundary + length - 1 - i;
      // What the mean is above the reference.
      const offset = (tails[tail]! + sum) / length;
      const sigma = Math.sqrt((tailSquares[tail]! + squares) / length - offset * offset);
      // Equal closes have no distances, and so this is exact.
      if (sigma === 0) continue;
      const row = i + shift;
      const mean = reference + offset;
      const above = d - offset;
      const aboveLower = above + 2 * sigma;
      const bottom = mean - 2 * sigma;
      const isNear = Math.abs(offset) < MOST_OFFSET * sigma;
      const isFarFromBand = Math.abs(aboveLower) > LEAST_AT_BAND * sigma && Math.abs(bottom) > LEAST_AT_BAND * mean;
      // Written so that NaN is computed again, too.
      if (!(isNear && isFarFromBand && Math.abs(above) > LEAST_LEFT * sigma)) {
        precise(closes, i, length, out, row);
        continue;
      }
      zscore[row] = above / sigma;
      upper[row] = mean + 2 * sigma;
      lower[row] = bottom;
      pct[row] = aboveLower / (4 * sigma);
      width[row] = (4 * sigma) / mean;
    }
    day = blockEnd;
  }
}

function distancesBefore(closes: Float64Array, boundary: number, longest: number): void {
  if (tails.length <= longest) [tails, tailSquares] = [new Float64Array(longest + 1), new Float64Array(longest + 1)];
  const reference = closes[boundary]!;
  let sum = 0;
  let squares = 0;
  for (let length = 1; length <= longest; length++) {
    const d = closes[boundary - length]! - reference;
    sum += d;
    squares += d * d;
    tails[length] = sum;
    tailSquares[length] = squares;
  }
}

function precise(closes: Float64Array, day: number, length: number, out: Outputs, row: number): void {
  const [zscore, upper, lower, pct, width] = out;
  const latest = closes[day]!;
  const { offset, deviation } = spreadAround(closes, day, length);
  const { high: sigma, low: sigmaLow } = deviation;
  if (sigma === 0) return;
  // The mean is the latest close plus the offset.
  zscore[row] = -offset.high / sigma;
  upper[row] = new DoubleDouble(latest).add(offset.high, offset.low).add(2 * sigma, 2 * sigmaLow).high;
  lower[row] = new DoubleDouble(latest).add(offset.high, offset.low).add(-2 * sigma, -2 * sigmaLow).high;
  pct[row] = new DoubleDouble(-offset.high, -offset.low).add(2 * sigma, 2 * sigmaLow).high / (4 * sigma);
  width[row] = (4 * sigma) / new DoubleDouble(latest).add(offset.high, offset.low).high;
}

/** The mean less the latest close, and the standard deviation. Summed in local numbers: see `CompensatedEma` in macd.ts. */
function spreadAround(closes: Float64Array, day: number, window: number) {
  const latest = closes[day]!;
  let [offsetHigh, offsetLow, squaresHigh, squaresLow] = [0, 0, 0, 0];
  for (let i = day - window + 1; i < day; i++) {
    const close = closes[i]!;
    const d = close - latest;
    const dLow = sumError(close, -latest, d);
    const sum = offsetHigh + d;
    const sumRest = sumError(offsetHigh, d, sum) + (offsetLow + dLow);
    offsetHigh = sum + sumRest;
    offsetLow = sumRest - (offsetHigh - sum);
    const square = d * d;
    const squareLow = productError(d, d, square) + 2 * d * dLow;
    const squares = squaresHigh + square;
    const squaresRest = sumError(squaresHigh, square, squares) + (squaresLow + squareLow);
    squaresHigh = squares + squaresRest;
    squaresLow = squaresRest - (squaresHigh - squares);
  }
  const offset = new DoubleDouble(offsetHigh, offsetLow).divide(window);
  const square = new DoubleDouble(offset.high, offset.low).multiply(offset.high, offset.low);
  const deviation = new DoubleDouble(squaresHigh, squaresLow)
    .divide(window)
    .add(-square.high, -square.low)
    .squareRoot();
  return { offset, deviation };
}

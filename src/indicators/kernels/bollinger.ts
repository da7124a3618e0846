// Bollinger bands and the z-score of the last n closes, σ being the population standard deviation √var:
// zscore = (C₀ − sma)/σ, upper and lower = sma ± 2σ, pct = (C₀ − lower)/(upper − lower), width = (upper − lower)/sma.
//
// Differences from the latest close are exact in double-double arithmetic, and so nearly are all sums, so that a price at its mean
// or at a band, where nearly equal numbers are subtracted, keeps its digits.

import { DoubleDouble, productError, sumError } from '../arithmetic/double-double.ts';
import type { Kernel, Outputs } from '../kernel.ts';

/** Missing without a full window, or if all closes are equal. */
export const kernel: Kernel = ({ closes, end }, first, lengths, out, row) => {
  for (let k = 0; k < lengths.length; k++) {
    for (const values of out[k]!) values.fill(Number.NaN, row, row + end - first);
    bands(closes, end, lengths[k]!, first, out[k]!, row - first);
  }
};

/** A day is written to the row `shift` further. */
function bands(closes: Float64Array, end: number, length: number, first: number, out: Outputs, shift: number): void {
  const [zscore, upper, lower, pct, width] = out;
  for (let day = Math.max(first, length - 1); day < end; day++) {
    const latest = closes[day]!;
    const { offset, deviation } = spreadAround(closes, day, length);
    const { high: sigma, low: sigmaLow } = deviation;
    if (sigma === 0) continue;
    const row = day + shift;
    // The mean is the latest close plus the offset.
    zscore[row] = -offset.high / sigma;
    upper[row] = new DoubleDouble(latest).add(offset.high, offset.low).add(2 * sigma, 2 * sigmaLow).high;
    lower[row] = new DoubleDouble(latest).add(offset.high, offset.low).add(-2 * sigma, -2 * sigmaLow).high;
    pct[row] = new DoubleDouble(-offset.high, -offset.low).add(2 * sigma, 2 * sigmaLow).high / (4 * sigma);
    width[row] = (4 * sigma) / new DoubleDouble(latest).add(offset.high, offset.low).high;
  }
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

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
/** In standard deviations: a mean that is further from the reference takes most of Σ d² with it. */
const MOST_OFFSET = 4;

/** A day is written to the row `shift` further. */
function bands(series: Series, length: number, first: number, out: Outputs, shift: number): void {
  const { closes, end } = series;
  const [zscore, upper, lower, pct, width] = out;
  const sums = new DistanceSums(series, length);
  for (let day = Math.max(first, length - 1); day < end; day++) {
    sums.moveTo(day);
    const reference = sums.reference;
    // What the mean is above the reference.
    const offset = sums.sum / length;
    const sigma = Math.sqrt(sums.squares / length - offset * offset);
    // Equal closes have no distances, and so this is exact.
    if (sigma === 0) continue;
    const row = day + shift;
    const mean = reference + offset;
    const above = closes[day]! - reference - offset;
    const aboveLower = above + 2 * sigma;
    const bottom = mean - 2 * sigma;
    const least = LEAST_LEFT * sigma;
    const isNear = Math.abs(offset) < MOST_OFFSET * sigma;
    if (!(isNear && Math.abs(above) > least && Math.abs(aboveLower) > least && Math.abs(bottom) > LEAST_LEFT * mean)) {
      precise(closes, day, length, out, row);
      continue;
    }
    zscore[row] = above / sigma;
    upper[row] = mean + 2 * sigma;
    lower[row] = bottom;
    pct[row] = aboveLower / (4 * sigma);
    width[row] = (4 * sigma) / mean;
  }
}

/**
 * Σ d and Σ d² of the last n closes, day after day, from the two parts of the window that `WindowProducts` describes. d is the difference
 * from the close at the boundary, which is in the window, and so mostly near its mean.
 */
class DistanceSums {
  sum = 0;
  squares = 0;
  readonly #closes: Float64Array;
  readonly #firstDay: number;
  readonly #count: number;
  /** Of the parts before the boundary, by their length. */
  readonly #tails: Float64Array;
  readonly #tailSquares: Float64Array;
  #boundary = -1;
  #last = -1;
  #head = 0;
  #headSquares = 0;

  constructor({ closes, firstDay }: Series, count: number) {
    this.#closes = closes;
    this.#firstDay = firstDay;
    this.#count = count;
    this.#tails = new Float64Array(count);
    this.#tailSquares = new Float64Array(count);
  }

  get reference(): number {
    return this.#closes[this.#boundary]!;
  }

  moveTo(last: number): void {
    const closes = this.#closes;
    const boundary = last - ((this.#firstDay + last) % this.#count);
    const reference = closes[boundary]!;
    const length = this.#count - (last - boundary + 1);
    let next = last;
    if (boundary !== this.#boundary || last !== this.#last + 1) {
      this.#boundary = boundary;
      this.#addTails(boundary, length);
      this.#head = 0;
      this.#headSquares = 0;
      next = boundary;
    }
    this.#last = last;
    for (; next <= last; next++) {
      const d = closes[next]! - reference;
      this.#head += d;
      this.#headSquares += d * d;
    }
    this.sum = this.#tails[length]! + this.#head;
    this.squares = this.#tailSquares[length]! + this.#headSquares;
  }

  #addTails(boundary: number, longest: number): void {
    const closes = this.#closes;
    const reference = closes[boundary]!;
    let sum = 0;
    let squares = 0;
    for (let k = 1; k <= longest; k++) {
      const d = closes[boundary - k]! - reference;
      sum += d;
      squares += d * d;
      this.#tails[k] = sum;
      this.#tailSquares[k] = squares;
    }
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

// MACD: ema12 − ema26, its signal line (an EMA of 9, seeded with the mean of the first 9 values), and their difference.
//
// The averages agree in most of their digits, and so do MACD and signal line. With doubles alone their differences would keep few
// correct digits, so the recursions run in double-double arithmetic: the error is below 1e-15 of the value plus 1e-28 of the price.

import { DoubleDouble, productError, sumError } from './double-double.ts';
import { meanOfFirst } from './ema.ts';
import type { Recursion } from './recursion.ts';

const [FAST, SLOW, SIGNAL] = [12, 26, 9];
/** The first day with a MACD, and with a signal line. */
const FIRST_MACD = SLOW - 1;
const FIRST_SIGNAL = FIRST_MACD + SIGNAL - 1;

export class Macd implements Recursion {
  readonly size = 6;
  readonly #fast = new CompensatedEma(FAST);
  readonly #slow = new CompensatedEma(SLOW);
  readonly #average = new CompensatedEma(SIGNAL);
  /** NaN before they begin. */
  line: number = Number.NaN;
  signal: number = Number.NaN;
  histogram: number = Number.NaN;

  start(): void {
    for (const average of [this.#fast, this.#slow, this.#average]) average.high = average.low = 0;
    this.line = this.signal = this.histogram = Number.NaN;
  }

  step(day: number, closes: Float64Array, at: number): void {
    const fast = this.#fast;
    const slow = this.#slow;
    const average = this.#average;
    if (day >= FAST) fast.step(closes[at]!, 0);
    else if (day === FAST - 1) fast.set(meanOfFirst(closes, FAST));
    if (day < FIRST_MACD) return;
    if (day > FIRST_MACD) slow.step(closes[at]!, 0);
    else slow.set(meanOfFirst(closes, SLOW));
    const difference = fast.high - slow.high;
    const error = sumError(fast.high, -slow.high, difference) + (fast.low - slow.low);
    const line = difference + error;
    const lineLow = error - (line - difference);
    this.line = line;
    if (day <= FIRST_SIGNAL) average.set(new DoubleDouble(average.high, average.low).add(line, lineLow));
    if (day < FIRST_SIGNAL) return;
    if (day === FIRST_SIGNAL) average.set(new DoubleDouble(average.high, average.low).divide(SIGNAL));
    else average.step(line, lineLow);
    const above = line - average.high;
    this.signal = average.high;
    this.histogram = above + (sumError(line, -average.high, above) + (lineLow - average.low));
  }

  save(state: Float64Array, from: number): void {
    this.#fast.save(state, from);
    this.#slow.save(state, from + 2);
    this.#average.save(state, from + 4);
  }

  load(state: Float64Array, from: number): void {
    this.#fast.load(state, from);
    this.#slow.load(state, from + 2);
    this.#average.load(state, from + 4);
  }
}

/**
 * An EMA in double-double arithmetic. Its steps are those of `DoubleDouble`, written out with local numbers: a call per operation would
 * take three times as long, and this is the longest part of the optional columns.
 */
class CompensatedEma {
  high = 0;
  low = 0;
  readonly #weight: DoubleDouble;

  constructor(window: number) {
    this.#weight = new DoubleDouble(2).divide(window + 1);
  }

  set({ high, low }: DoubleDouble): void {
    this.high = high;
    this.low = low;
  }

  /** value += weight · (next − value), where `nextHigh + nextLow` is the next value. */
  step(nextHigh: number, nextLow: number): void {
    const { high, low } = this;
    const weight = this.#weight;
    const difference = nextHigh - high;
    const differenceError = sumError(nextHigh, -high, difference) + (nextLow - low);
    const changeHigh = difference + differenceError;
    const changeLow = differenceError - (changeHigh - difference);
    const product = changeHigh * weight.high;
    const error = productError(changeHigh, weight.high, product) + (changeHigh * weight.low + changeLow * weight.high);
    const productHigh = product + error;
    const productLow = error - (productHigh - product);
    const sum = high + productHigh;
    const rest = sumError(high, productHigh, sum) + (low + productLow);
    this.high = sum + rest;
    this.low = rest - (this.high - sum);
  }

  save(state: Float64Array, from: number): void {
    state[from] = this.high;
    state[from + 1] = this.low;
  }

  load(state: Float64Array, from: number): void {
    this.high = state[from]!;
    this.low = state[from + 1]!;
  }
}

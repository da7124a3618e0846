// MACD: ema12 − ema26, its signal line (an EMA of 9, seeded with the mean of the first 9 values), and their difference.
//
// The averages agree in most of their digits, and so do MACD and signal line. With doubles alone their differences would keep few
// correct digits, so the recursions run in double-double arithmetic: the error is below 1e-15 of the value plus 1e-28 of the price.

import { DoubleDouble, productError, sumError } from '../arithmetic/double-double.ts';
import { meanOfFirst } from '../arithmetic/sum.ts';
import type { Kernel } from '../kernel.ts';

const [FAST, SLOW, SIGNAL] = [12, 26, 9];
/** The first day with a MACD, and with a signal line. */
const FIRST_MACD = SLOW - 1;
const FIRST_SIGNAL = FIRST_MACD + SIGNAL - 1;

/**
 * An EMA in double-double arithmetic. Its steps are those of `DoubleDouble`, written out with local numbers: a call per operation would
 * take three times as long, and this is the longest part of the optional columns.
 */
class CompensatedEma {
  high = 0;
  low = 0;
  readonly #weight: DoubleDouble;

  constructor(length: number) {
    this.#weight = new DoubleDouble(2).divide(length + 1);
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

  load(state: Float64Array, from: number, isFresh: boolean): void {
    this.high = isFresh ? 0 : state[from]!;
    this.low = isFresh ? 0 : state[from + 1]!;
  }
}

const fast = new CompensatedEma(FAST);
const slow = new CompensatedEma(SLOW);
const average = new CompensatedEma(SIGNAL);
const ALL = [fast, slow, average];

/** Its lengths are fixed. The state is that of the three averages. */
export const kernel: Kernel = (series, first, _, out, row, state) => {
  const { closes, end, skipped, next, isFresh } = series;
  const [lines, signals, histograms] = out[0]!;
  for (let i = 0; i < ALL.length; i++) ALL[i]!.load(series.state, state + 2 * i, isFresh);
  for (let day = next; day < end; day++) {
    const age = skipped + day;
    if (age >= FAST) fast.step(closes[day]!, 0);
    else if (age === FAST - 1) fast.set(meanOfFirst(closes, FAST));
    let line = Number.NaN;
    let histogram = Number.NaN;
    if (age >= FIRST_MACD) {
      if (age > FIRST_MACD) slow.step(closes[day]!, 0);
      else slow.set(meanOfFirst(closes, SLOW));
      const difference = fast.high - slow.high;
      const error = sumError(fast.high, -slow.high, difference) + (fast.low - slow.low);
      line = difference + error;
      const lineLow = error - (line - difference);
      stepSignal(age, line, lineLow);
      const above = line - average.high;
      histogram = above + (sumError(line, -average.high, above) + (lineLow - average.low));
    }
    if (day < first) continue;
    lines[row + day - first] = line;
    signals[row + day - first] = age < FIRST_SIGNAL ? Number.NaN : average.high;
    histograms[row + day - first] = age < FIRST_SIGNAL ? Number.NaN : histogram;
  }
  for (let i = 0; i < ALL.length; i++) ALL[i]!.save(series.state, state + 2 * i);
};

/** Until its first day, the average is the sum of the lines. */
function stepSignal(age: number, line: number, lineLow: number): void {
  if (age > FIRST_SIGNAL) average.step(line, lineLow);
  else {
    const sum = new DoubleDouble(average.high, average.low).add(line, lineLow);
    average.set(age === FIRST_SIGNAL ? sum.divide(SIGNAL) : sum);
  }
}

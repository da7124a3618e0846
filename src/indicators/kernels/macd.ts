// MACD: ema12 − ema26, its signal line (an EMA of 9, seeded with the mean of the first 9 values), and their difference.
//
// The averages agree in most of their digits, and so do MACD and signal line. With doubles alone their differences would keep few
// correct digits, so the recursions run in double-double arithmetic: the error is below 1e-15 of the value plus 1e-28 of the price.

import { DoubleDouble } from './double-double.ts';
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
  readonly #difference = new DoubleDouble();
  /** NaN before they begin. */
  line: number = Number.NaN;
  signal: number = Number.NaN;
  histogram: number = Number.NaN;

  start(): void {
    this.#fast.value.set(0);
    this.#slow.value.set(0);
    this.#average.value.set(0);
    this.line = this.signal = this.histogram = Number.NaN;
  }

  step(day: number, closes: Float64Array, at: number): void {
    const fast = this.#fast;
    const slow = this.#slow;
    const average = this.#average;
    if (day >= FAST) fast.step(closes[at]!, 0);
    else if (day === FAST - 1) fast.value = meanOfFirst(closes, FAST);
    if (day < FIRST_MACD) return;
    if (day > FIRST_MACD) slow.step(closes[at]!, 0);
    else slow.value = meanOfFirst(closes, SLOW);
    const value = this.#difference.set(fast.value.high, fast.value.low).add(-slow.value.high, -slow.value.low);
    this.line = value.high;
    if (day <= FIRST_SIGNAL) average.value.add(value.high, value.low);
    if (day < FIRST_SIGNAL) return;
    if (day === FIRST_SIGNAL) average.value.divide(SIGNAL);
    else average.step(value.high, value.low);
    this.signal = average.value.high;
    this.histogram = value.add(-average.value.high, -average.value.low).high;
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

class CompensatedEma {
  value = new DoubleDouble();
  readonly #weight: DoubleDouble;
  readonly #change = new DoubleDouble();

  constructor(window: number) {
    this.#weight = new DoubleDouble(2).divide(window + 1);
  }

  step(high: number, low: number): void {
    const { value } = this;
    const change = this.#change.set(high, low).add(-value.high, -value.low);
    change.multiply(this.#weight.high, this.#weight.low);
    value.add(change.high, change.low);
  }

  save(state: Float64Array, from: number): void {
    state[from] = this.value.high;
    state[from + 1] = this.value.low;
  }

  load(state: Float64Array, from: number): void {
    this.value.set(state[from]!, state[from + 1]!);
  }
}

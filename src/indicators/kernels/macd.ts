// MACD: ema12 − ema26, its signal line (an EMA of 9, seeded with the mean of the first 9 values), and their difference.
//
// The averages agree in most of their digits, and so do MACD and signal line. With doubles alone their differences would keep few
// correct digits, so the recursions run in double-double arithmetic: the error is below 1e-15 of the value plus 1e-28 of the price.

import { DoubleDouble } from './double-double.ts';
import { meanOfFirst } from './ema.ts';

const [FAST, SLOW, SIGNAL] = [12, 26, 9];
/** The first day with a MACD, and with a signal line. */
const FIRST_MACD = SLOW - 1;
const FIRST_SIGNAL = FIRST_MACD + SIGNAL - 1;

/** Writes the values of the days `first …` to `[macd, signal, histogram][0 …]`; NaN before they begin. */
export function macd(closes: Float64Array, first: number, [line, signal, histogram]: MacdColumns): void {
  for (const column of [line, signal, histogram]) column.fill(Number.NaN);
  if (closes.length < SLOW) return;
  const [fast, slow] = [new CompensatedEma(FAST), new CompensatedEma(SLOW)];
  fast.value = meanOfFirst(closes, FAST);
  slow.value = meanOfFirst(closes, SLOW);
  for (let day = FAST; day < FIRST_MACD; day++) fast.step(closes[day]!, 0);
  const average = new CompensatedEma(SIGNAL);
  const value = new DoubleDouble();
  for (let day = FIRST_MACD; day < closes.length; day++) {
    fast.step(closes[day]!, 0);
    if (day > FIRST_MACD) slow.step(closes[day]!, 0);
    value.set(fast.value.high, fast.value.low).add(-slow.value.high, -slow.value.low);
    if (day <= FIRST_SIGNAL) average.value.add(value.high, value.low);
    if (day === FIRST_SIGNAL) average.value.divide(SIGNAL);
    if (day > FIRST_SIGNAL) average.step(value.high, value.low);
    if (day < first) continue;
    line[day - first] = value.high;
    if (day < FIRST_SIGNAL) continue;
    signal[day - first] = average.value.high;
    histogram[day - first] = value.add(-average.value.high, -average.value.low).high;
  }
}

export type MacdColumns = readonly [line: Float64Array, signal: Float64Array, histogram: Float64Array];

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
}

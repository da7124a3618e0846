// The recursions of definitions. They start with the first value, and again after a missing one. Each keeps a few numbers, from which the next
// publication continues; inside a window it is computed from the first day each time.

import type { RecursionName } from '../../domain/own/language.ts';
import type { Series } from '../kernel.ts';
import { add, divide, multiply, rest } from './double-double-steps.ts';
import { Values } from './values.ts';

/** The number of values since the start, and up to three numbers of twice the precision. */
export const STATE_NUMBERS = 7;

export class RecursionValues extends Values {
  readonly #name: RecursionName;
  readonly #length: number;
  readonly #operand: Values;
  /** Where its state begins among those of its column; null if it is computed from the first day. */
  readonly #kept: number | null;
  readonly #state = new Float64Array(STATE_NUMBERS);
  /** The state of the column in that of the series. */
  base = 0;

  constructor(name: RecursionName, length: number, operand: Values, kept: number | null) {
    super();
    this.#name = name;
    this.#length = length;
    this.#operand = operand;
    this.#kept = kept;
  }

  compute(series: Series, from: number, end: number): void {
    const kept = this.#kept;
    const next = kept === null ? 0 : series.next;
    const at = this.base + (kept ?? 0);
    const state = this.#state;
    if (kept === null || series.isFresh) state.fill(0);
    else for (let i = 0; i < STATE_NUMBERS; i++) state[i] = series.state[at + i]!;
    if (this.#name !== 'atr') this.#operand.compute(series, next, end);
    this.begin(from, end);
    for (let day = next; day < end; day++) {
      rest.low = 0;
      const value = this.#step(series, day, day - next);
      if (day < from) continue;
      this.high[day - from] = value;
      this.low[day - from] = rest.low;
    }
    if (kept !== null) for (let i = 0; i < STATE_NUMBERS; i++) series.state[at + i] = state[i]!;
  }

  #step(series: Series, day: number, place: number): number {
    switch (this.#name) {
      case 'ema':
        return this.#ema(this.#operand.high[place]!, this.#operand.low[place]!);
      case 'rsi':
        return this.#rsi(this.#operand.high[place]!, this.#operand.low[place]!);
      case 'atr':
        return this.#atr(series.highs[day]!, series.lows[day]!, day > 0 ? series.closes[day - 1]! : Number.NaN);
    }
  }

  /** State: count, then the sum of the first values or the average. */
  #ema(high: number, low: number): number {
    const state = this.#state;
    if (Number.isNaN(high)) return this.#restart();
    const count = ++state[0]!;
    if (count <= this.#length) {
      const sum = add(state[1]!, state[2]!, high, low);
      this.#keep(1, count < this.#length ? sum : divide(sum, rest.low, this.#length, 0));
    } else {
      const difference = add(high, low, -state[1]!, -state[2]!);
      const twice = divide(2 * difference, 2 * rest.low, this.#length + 1, 0);
      this.#keep(1, add(state[1]!, state[2]!, twice, rest.low));
    }
    return count < this.#length ? Number.NaN : state[1]!;
  }

  /** State: count, the value before, the average gain and the average loss. */
  #rsi(high: number, low: number): number {
    const state = this.#state;
    if (Number.isNaN(high)) return this.#restart();
    const count = state[0]!++;
    if (count > 0) {
      const change = add(high, low, -state[1]!, -state[2]!);
      const changeLow = rest.low;
      this.#average(3, Math.max(change, 0), change > 0 ? changeLow : 0, count);
      this.#average(5, Math.max(-change, 0), change < 0 ? -changeLow : 0, count);
    }
    state[1] = high;
    state[2] = low;
    if (count < this.#length) return Number.NaN;
    const moves = add(state[3]!, state[4]!, state[5]!, state[6]!);
    if (moves === 0) {
      rest.low = 0;
      return 50;
    }
    const share = divide(state[3]!, state[4]!, moves, rest.low);
    return multiply(share, rest.low, 100, 0);
  }

  /** State: the number of bars with high and low, and the average. */
  #atr(high: number, low: number, before: number): number {
    const state = this.#state;
    if (Number.isNaN(high - low)) return this.#restart();
    const count = state[0]!++;
    if (count > 0) {
      // Of three differences the largest; without lists, because this runs for every day of every asset.
      const [top, bottom] = [Math.max(high, before), Math.min(low, before)];
      const range = add(top, 0, -bottom, 0);
      const rangeLow = rest.low;
      this.#average(1, range, rangeLow, count);
    }
    if (count < this.#length) return Number.NaN;
    rest.low = state[2]!;
    return state[1]!;
  }

  /** Wilder's: the mean of the first n, then each counts 1/n. */
  #average(at: number, high: number, low: number, count: number): void {
    const state = this.#state;
    const step = count <= this.#length ? divide(high, low, this.#length, 0) : this.#towards(at, high, low);
    this.#keep(at, add(state[at]!, state[at + 1]!, step, rest.low));
  }

  #towards(at: number, high: number, low: number): number {
    const difference = add(high, low, -this.#state[at]!, -this.#state[at + 1]!);
    return divide(difference, rest.low, this.#length, 0);
  }

  #keep(at: number, high: number): void {
    this.#state[at] = high;
    this.#state[at + 1] = rest.low;
  }

  #restart(): number {
    this.#state.fill(0);
    return Number.NaN;
  }
}

// The values of each part of a definition, day by day, with twice the precision of a double: differences of averages that are nearly equal
// keep the 12 digits that are promised.

import type { OwnNode, PlainName, SeriesName, WindowName } from '../../domain/own/language.ts';
import { productError } from '../arithmetic/double-double.ts';
import type { Series } from '../kernel.ts';
import { add, divide, logarithm, multiply, rest, squareRoot } from './double-double-steps.ts';

/** Of the days `from …`: the value of a day is at `day - from`. Null is NaN. The memory is used again for the next asset. */
export abstract class Values {
  high: Float64Array = new Float64Array(0);
  low: Float64Array = new Float64Array(0);
  from = 0;

  /** Computes the days `from … end - 1`. */
  abstract compute(series: Series, from: number, end: number): void;

  protected begin(from: number, end: number): void {
    this.from = from;
    if (this.high.length >= end - from) return;
    this.high = new Float64Array(end - from);
    this.low = new Float64Array(end - from);
  }
}

class NumberValues extends Values {
  readonly #value: number;

  constructor(value: number) {
    super();
    this.#value = value;
  }

  compute(_: Series, from: number, end: number): void {
    this.begin(from, end);
    this.high.fill(this.#value);
  }
}

class SeriesValues extends Values {
  readonly #name: SeriesName;

  constructor(name: SeriesName) {
    super();
    this.#name = name;
  }

  compute(series: Series, from: number, end: number): void {
    this.begin(from, end);
    const { high, low } = this;
    const { closes, volumes } = series;
    if (this.#name === 'turnover') {
      for (let day = from; day < end; day++) {
        const product = volumes[day]! * closes[day]!;
        high[day - from] = product;
        low[day - from] = productError(volumes[day]!, closes[day]!, product);
      }
      return;
    }
    const values = series[`${this.#name}s`];
    for (let day = from; day < end; day++) high[day - from] = values[day]!;
    low.fill(0, 0, end - from);
  }
}

class PlainValues extends Values {
  readonly #name: PlainName | 'negate';
  readonly #operand: Values;

  constructor(name: PlainName | 'negate', operand: Values) {
    super();
    this.#name = name;
    this.#operand = operand;
  }

  compute(series: Series, from: number, end: number): void {
    const operand = this.#operand;
    operand.compute(series, from, end);
    this.begin(from, end);
    for (let i = 0; i < end - from; i++) {
      const [high, low] = [operand.high[i]!, operand.low[i]!];
      const negative = this.#name === 'negate' || (this.#name === 'abs' && high < 0);
      if (this.#name === 'ln') this.high[i] = logarithm(high, low);
      else if (this.#name === 'sqrt') this.high[i] = squareRoot(high, low);
      else {
        this.high[i] = negative ? -high : high;
        rest.low = negative ? -low : low;
      }
      this.low[i] = rest.low;
    }
  }
}

class BinaryValues extends Values {
  readonly #operator: Extract<OwnNode, { kind: 'binary' }>['operator'];
  readonly #left: Values;
  readonly #right: Values;

  constructor(operator: Extract<OwnNode, { kind: 'binary' }>['operator'], left: Values, right: Values) {
    super();
    this.#operator = operator;
    this.#left = left;
    this.#right = right;
  }

  compute(series: Series, from: number, end: number): void {
    const [left, right] = [this.#left, this.#right];
    left.compute(series, from, end);
    right.compute(series, from, end);
    this.begin(from, end);
    for (let i = 0; i < end - from; i++) {
      this.high[i] = this.#applied(left.high[i]!, left.low[i]!, right.high[i]!, right.low[i]!);
      this.low[i] = rest.low;
    }
  }

  #applied(ah: number, al: number, bh: number, bl: number): number {
    switch (this.#operator) {
      case '+':
        return add(ah, al, bh, bl);
      case '-':
        return add(ah, al, -bh, -bl);
      case '*':
        return multiply(ah, al, bh, bl);
      case '/':
        return divide(ah, al, bh, bl);
      case 'min':
      case 'max': {
        const isLeft = (ah < bh || (ah === bh && al < bl)) === (this.#operator === 'min');
        rest.low = isLeft ? al : bl;
        return Number.isNaN(ah + bh) ? Number.NaN : isLeft ? ah : bh;
      }
    }
  }
}

class WindowValues extends Values {
  readonly #name: WindowName;
  readonly #length: number;
  readonly #operand: Values;

  constructor(name: WindowName, length: number, operand: Values) {
    super();
    this.#name = name;
    this.#length = length;
    this.#operand = operand;
  }

  compute(series: Series, from: number, end: number): void {
    const back = this.#name === 'lag' || this.#name === 'change' ? this.#length : this.#length - 1;
    const oldest = Math.max(0, from - back);
    this.#operand.compute(series, oldest, end);
    this.begin(from, end);
    for (let day = from; day < end; day++) {
      rest.low = 0;
      this.high[day - from] = day - back < 0 ? Number.NaN : this.#over(day - back - oldest, day - oldest);
      this.low[day - from] = rest.low;
    }
  }

  /** Of the values at `first … last` of the operand. */
  #over(first: number, last: number): number {
    const { high, low } = this.#operand;
    const length = this.#length;
    switch (this.#name) {
      case 'lag':
        rest.low = low[first]!;
        return high[first]!;
      case 'change': {
        const difference = add(high[last]!, low[last]!, -high[first]!, -low[first]!);
        const ratio = divide(difference, rest.low, high[first]!, low[first]!);
        return multiply(ratio, rest.low, 100, 0);
      }
      case 'sum':
        return this.#sum(first, last);
      case 'sma': {
        const sum = this.#sum(first, last);
        return divide(sum, rest.low, length, 0);
      }
      case 'wma':
        return this.#weighted(first, last);
      case 'min':
        return this.#extreme(first, last, 1);
      case 'max':
        return this.#extreme(first, last, -1);
      case 'var':
        return this.#variance(first, last);
      case 'stdev': {
        const variance = this.#variance(first, last);
        return squareRoot(variance, rest.low);
      }
      case 'zscore':
        return this.#zscore(first, last);
    }
  }

  #sum(first: number, last: number): number {
    const { high, low } = this.#operand;
    let [sum, sumLow] = [0, 0];
    for (let i = first; i <= last; i++) {
      sum = add(sum, sumLow, high[i]!, low[i]!);
      sumLow = rest.low;
    }
    return sum;
  }

  /** Σ w · x / Σ w, w = 1 … n from the oldest. */
  #weighted(first: number, last: number): number {
    const { high, low } = this.#operand;
    let [sum, sumLow] = [0, 0];
    for (let i = first; i <= last; i++) {
      const term = multiply(high[i]!, low[i]!, i - first + 1, 0);
      sum = add(sum, sumLow, term, rest.low);
      sumLow = rest.low;
    }
    return divide(sum, sumLow, (this.#length * (this.#length + 1)) / 2, 0);
  }

  #extreme(first: number, last: number, sign: 1 | -1): number {
    const { high, low } = this.#operand;
    let best = first;
    for (let i = first; i <= last; i++) {
      if (Number.isNaN(high[i]!)) return Number.NaN;
      const difference = high[i]! === high[best]! ? low[i]! - low[best]! : high[i]! - high[best]!;
      if (sign * difference < 0) best = i;
    }
    rest.low = low[best]!;
    return high[best]!;
  }

  /** Around the latest value, so that equal values give exactly 0. Leaves the mean less that value in `#offset`. */
  #variance(first: number, last: number): number {
    const { high, low } = this.#operand;
    let [sum, sumLow, squares, squaresLow] = [0, 0, 0, 0];
    for (let i = first; i < last; i++) {
      const d = add(high[i]!, low[i]!, -high[last]!, -low[last]!);
      const dLow = rest.low;
      sum = add(sum, sumLow, d, dLow);
      sumLow = rest.low;
      const square = multiply(d, dLow, d, dLow);
      squares = add(squares, squaresLow, square, rest.low);
      squaresLow = rest.low;
    }
    const n = this.#length;
    const mean = divide(sum, sumLow, n, 0);
    this.#offset = mean;
    this.#offsetLow = rest.low;
    const taken = multiply(mean, this.#offsetLow, sum, sumLow);
    const spread = add(squares, squaresLow, -taken, -rest.low);
    const variance = divide(spread, rest.low, n, 0);
    // A NaN of the last value makes every difference NaN, unless it is the only one.
    if (Number.isNaN(high[last]!)) return Number.NaN;
    if (variance > 0 || Number.isNaN(variance)) return variance;
    rest.low = 0;
    return 0;
  }

  #offset = 0;
  #offsetLow = 0;

  #zscore(first: number, last: number): number {
    const variance = this.#variance(first, last);
    if (variance === 0) return Number.NaN;
    const deviation = squareRoot(variance, rest.low);
    return divide(-this.#offset, -this.#offsetLow, deviation, rest.low);
  }
}

export function windowValues(name: WindowName, length: number, operand: Values): Values {
  return new WindowValues(name, length, operand);
}

export function numberValues(value: number): Values {
  return new NumberValues(value);
}

export function seriesValues(name: SeriesName): Values {
  return new SeriesValues(name);
}

export function plainValues(name: PlainName | 'negate', operand: Values): Values {
  return new PlainValues(name, operand);
}

export function binaryValues(
  operator: Extract<OwnNode, { kind: 'binary' }>['operator'],
  left: Values,
  right: Values,
): Values {
  return new BinaryValues(operator, left, right);
}

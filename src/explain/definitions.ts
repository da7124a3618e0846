// How the value of each kind of column follows from the closes, in real numbers: one entry per kind. Written from the definitions,
// not from the kernels, so that it checks them.

import { mapInSteps, type Steps } from '../common/steps.ts';
import type { IndicatorKind, PriceColumn } from '../domain/columns.ts';
import { divide, fromInteger, logarithm, mean, multiply, type Real, squareRoot, subtract, sum, ZERO } from './real.ts';

export type BarField = 'open' | 'high' | 'low' | 'volume';

/** The days up to the one whose row is explained. */
export interface Days {
  /** How many there are. */
  readonly count: number;
  /** The close so many days before the last one. */
  close(daysBefore: number): Real;
  /** Another number of that day's bar; null if it is unknown. */
  number(field: BarField, daysBefore: number): Real | null;
  /** The close of the benchmark asset; null if it has none on that day. */
  benchmark(daysBefore: number): Real | null;
}

export interface Step {
  readonly name: string;
  readonly value: Real;
}

export interface Derivation {
  /** The days that the value is computed from, as days before the last one, the last one first. */
  readonly inputs: readonly number[];
  /** In the order in which they are computed. */
  readonly steps: readonly Step[];
  /** Null where the definition gives none. */
  readonly exact: Real | null;
}

/** In steps if it can take longer than a millisecond. */
export type Derived = Derivation | Steps<Derivation>;

/** `window` is the column's length in days; 1 for a price. */
export type Definition = (days: Days, window: number) => Derived;

export const HUNDRED: Real = fromInteger(100);

/** Logarithms in one step. */
export const LOGARITHMS = 8;

export const DEFINITIONS: Readonly<Record<IndicatorKind | PriceColumn['kind'], Definition>> = {
  price: days => ({ inputs: [0], steps: [], exact: days.close(0) }),

  change: (days, window) => {
    if (days.count <= window) return { inputs: [0], steps: [], exact: null };
    const [last, earlier] = [days.close(0), days.close(window)];
    const ratio = divide(last, earlier);
    const exact = multiply(subtract(ratio, fromInteger(1)), HUNDRED);
    return { inputs: [0, window], steps: [step(`C0 / C${window}`, ratio)], exact };
  },

  sma: (days, window) => {
    const inputs = lastDays(Math.min(window, days.count));
    const closes = inputs.map(i => days.close(i));
    const steps = [step('n', fromInteger(closes.length)), step('sum of closes', sum(closes))];
    return { inputs, steps, exact: mean(closes) };
  },

  var: (days, window) => {
    const inputs = lastDays(Math.min(window, days.count));
    const closes = inputs.map(i => days.close(i));
    const { average, squares } = spread(closes);
    const steps = [
      step('n', fromInteger(closes.length)),
      step('mean of closes', average),
      step('sum of squared deviations', squares),
    ];
    return { inputs, steps, exact: divide(squares, fromInteger(closes.length)) };
  },

  *vol(days, window) {
    const count = Math.min(window, days.count - 1);
    const inputs = lastDays(count + 1);
    const returns = yield* mapInSteps(lastDays(count), i => logReturn(days.close(i), days.close(i + 1)), LOGARITHMS);
    if (count < 2) return { inputs, steps: [step('returns', fromInteger(count))], exact: ZERO };
    const { average, squares } = spread(returns);
    const deviation = squareRoot(divide(squares, fromInteger(count - 1)));
    const steps = [
      step('returns', fromInteger(count)),
      step('mean of log returns', average),
      step('sum of squared deviations', squares),
      step('sample standard deviation', deviation),
      step('square root of 365', YEAR),
    ];
    return { inputs, steps, exact: multiply(multiply(deviation, YEAR), HUNDRED) };
  },
};

export const YEAR: Real = squareRoot(fromInteger(365));

/** The definition gives no value. */
export const NOTHING: Omit<Derivation, 'inputs'> = { steps: [], exact: null };

export function logReturn(close: Real, before: Real): Real {
  return logarithm(divide(close, before));
}

export function step(name: string, value: Real): Step {
  return { name, value };
}

export function lastDays(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

export function spread(values: readonly Real[]): { average: Real; squares: Real } {
  const average = mean(values);
  const squares = sum(values.map(value => multiply(subtract(value, average), subtract(value, average))));
  return { average, squares };
}

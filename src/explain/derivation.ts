// How a value follows from the days: its inputs, the values on the way, and the result in real numbers.

import type { Steps } from '../common/steps.ts';
import { divide, fromInteger, logarithm, mean, multiply, type Real, squareRoot, subtract, sum } from './real.ts';

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
  /** Periods in a year of 365 days, and how a text says it. */
  readonly perYear: { readonly value: Real; readonly text: string };
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

/** Of a kernel: `length` and `output` are those of the column. */
export type Definition = (days: Days, length: number, output: string) => Derived;

export const HUNDRED: Real = fromInteger(100);

/** Logarithms in one step. */
export const LOGARITHMS = 8;

/** The definition gives no value. */
export const NOTHING: Omit<Derivation, 'inputs'> = { steps: [], exact: null };

/** What figures of one period are multiplied by to be those of a year. */
export function yearly({ perYear }: Days): Real {
  return squareRoot(perYear.value);
}

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

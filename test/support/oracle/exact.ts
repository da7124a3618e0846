// The definitions of the indicators in exact arithmetic: integers of any size, fractions of them, and logarithms to more
// than a hundred digits. Written from the definitions alone; it shares nothing with the code that it judges, and is slow.

import type { IndicatorColumn } from '../../../src/domain/columns.ts';

/** numerator / denominator, the denominator positive. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A double is a whole number times a power of two: here as a fraction, without any rounding. */
export function exactly(value: number): Fraction {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const high = bits.getBigUint64(0);
  const exponentBits = Number((high >> 52n) & 0x7ffn);
  const fractionBits = high & 0xf_ffff_ffff_ffffn;
  const significand = exponentBits === 0 ? fractionBits : fractionBits | (1n << 52n);
  const exponent = Math.max(exponentBits, 1) - 1075;
  const signed = value < 0 ? -significand : significand;
  return exponent >= 0
    ? { numerator: signed << BigInt(exponent), denominator: 1n }
    : { numerator: signed, denominator: 1n << BigInt(-exponent) };
}

/** Periods in a year of 365 days. */
export const DAYS_PER_YEAR: Fraction = { numerator: 365n, denominator: 1n };

/** The exact value of a column in the last period of these closes (oldest first); null where it has none. */
export function exactValue(
  column: IndicatorColumn,
  closes: readonly number[],
  perYear: Fraction = DAYS_PER_YEAR,
): Fraction | null {
  switch (column.kind) {
    case 'change':
      return exactChange(closes, column.window);
    case 'sma':
      return exactMean(closes.slice(-column.window));
    case 'var':
      return exactVariance(closes.slice(-column.window));
    case 'vol':
      return exactVolatility(closes.slice(-(column.window + 1)), perYear);
  }
}

function exactChange(closes: readonly number[], window: number): Fraction | null {
  const earlierClose = closes.at(-1 - window);
  if (closes.length <= window || earlierClose === undefined) return null;
  const [latest, earlier] = overCommonDenominator([closes.at(-1) ?? Number.NaN, earlierClose]).numerators;
  return { numerator: ((latest ?? 0n) - (earlier ?? 0n)) * 100n, denominator: earlier ?? 1n };
}

function exactMean(closes: readonly number[]): Fraction {
  const { numerators, denominator } = overCommonDenominator(closes);
  return { numerator: sum(numerators), denominator: denominator * BigInt(closes.length) };
}

function exactVariance(closes: readonly number[]): Fraction {
  const { numerators, denominator } = overCommonDenominator(closes);
  const count = BigInt(closes.length);
  const total = sum(numerators);
  const squares = sum(numerators.map(value => value * value));
  return { numerator: count * squares - total * total, denominator: count * count * denominator * denominator };
}

/** Binary digits after the point of logarithms and roots. */
export const PRECISION = 420n;
const ONE = 1n << PRECISION;

function exactVolatility(closes: readonly number[], perYear: Fraction): Fraction {
  const returns = closes.slice(1).map((close, i) => logarithm(close, closes[i] ?? Number.NaN));
  const count = BigInt(returns.length);
  if (count < 2n) return { numerator: 0n, denominator: 1n };
  // Equal ratios have equal logarithms; the logarithms' own last digits must not make them differ.
  if (allRatiosEqual(closes)) return { numerator: 0n, denominator: 1n };
  const total = sum(returns);
  const squares = sum(returns.map(value => value * value));
  const numerator = (count * squares - total * total) * perYear.numerator * 100n * 100n;
  const denominator = count * (count - 1n) * perYear.denominator;
  // numerator / denominator carries twice the precision, so its root carries it once; widened for small roots.
  const widening = 200n;
  return { numerator: root((numerator << (2n * widening)) / denominator), denominator: ONE << widening };
}

export function allRatiosEqual(closes: readonly number[]): boolean {
  const { numerators } = overCommonDenominator(closes);
  const [first = 0n, second = 0n] = numerators;
  return numerators.every((later, i) => i === 0 || later * first === (numerators[i - 1] ?? 0n) * second);
}

/**
 * ln(a / b) with PRECISION digits after the point, by its oldest definition: the logarithm halves when the root is taken.
 * After enough roots the number is 1 + y with a y so small that y − y²/2 + y³/3 … ends quickly.
 */
export function logarithm(a: number, b: number): bigint {
  const name = `${a}/${b}`;
  const known = logarithms.get(name) ?? computedLogarithm(a, b);
  logarithms.set(name, known);
  return known;
}

/** Windows of many lengths end on the same day: they share most of their returns. */
const logarithms = new Map<string, bigint>();

function computedLogarithm(a: number, b: number): bigint {
  if (a === b) return 0n;
  const guard = 96n;
  const one = 1n << (PRECISION + guard);
  const [p, q] = overCommonDenominator([a, b]).numerators as [bigint, bigint]; // two in, two out
  let value = (p * one) / q;
  let halvings = 0n;
  while (abs(value - one) > one >> 24n) {
    value = root(value * one);
    halvings++;
  }
  const y = value - one;
  let power = y;
  let series = 0n;
  for (let k = 1n; power !== 0n; k++) {
    series += k % 2n === 1n ? power / k : -(power / k);
    power = (power * y) / one;
  }
  return (series << halvings) >> guard;
}

/** The whole part of the square root (Newton's method, from above). */
export function root(value: bigint): bigint {
  if (value < 2n) return value;
  let estimate = firstEstimate(value);
  for (;;) {
    const next = (estimate + value / estimate) >> 1n;
    if (next >= estimate) return estimate;
    estimate = next;
  }
}

/** At least the root: of the first 52 bits as a double, which has 50 bits of it. */
function firstEstimate(value: bigint): bigint {
  const digits = value.toString(16).length;
  const rest = BigInt(digits - 13) * 4n;
  if (rest < 52n) return 1n << BigInt(digits * 2 + 1);
  const first = Math.sqrt(Number(value >> rest) + 1);
  return BigInt(Math.ceil(first * 2 ** 26) + 1) << (rest / 2n - 26n);
}

function overCommonDenominator(values: readonly number[]): { numerators: bigint[]; denominator: bigint } {
  const fractions = values.map(exactly);
  // Denominators are powers of two: the largest is a multiple of all.
  let denominator = 1n;
  for (const fraction of fractions) if (fraction.denominator > denominator) denominator = fraction.denominator;
  return { numerators: fractions.map(f => f.numerator * (denominator / f.denominator)), denominator };
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

export function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** |actual − exact| / |exact|; 0 when both are zero, infinite when only the exact value is. */
export function relativeError(actual: number, exact: Fraction): number {
  const { numerator, denominator } = exactly(actual);
  const difference = abs(numerator * exact.denominator - exact.numerator * denominator);
  if (difference === 0n) return 0;
  if (exact.numerator === 0n) return Number.POSITIVE_INFINITY;
  const digits = 10n ** 25n;
  return Number((difference * digits) / (abs(exact.numerator) * denominator)) / 1e25;
}

/** The double next to a fraction, for golden files: exact to 20 digits, then rounded once. */
export function nearestDouble({ numerator, denominator }: Fraction): number {
  if (numerator === 0n) return 0;
  const size = BigInt(abs(numerator).toString(16).length - denominator.toString(16).length) * 4n;
  const shift = 120n - size;
  const scaled = shift >= 0n ? (abs(numerator) << shift) / denominator : abs(numerator) / (denominator << -shift);
  const magnitude = Number(scaled) * 2 ** Number(-shift);
  return numerator < 0n ? -magnitude : magnitude;
}

// Numbers and days as text for people. The same number of digits everywhere in a column, from 1e-12 to 1e12.

import { numberForm } from './number-form.ts';

/** What stands where there is no value. */
export const NOTHING = '–';

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/**
 * A price: five significant digits, whole units grouped, and the zeros after the point of a very small one counted instead of
 * written (0.0₈12345 is 1.2345e-9).
 */
export function formatPrice(value: number | null): string {
  if (value === null) return NOTHING;
  const size = Math.abs(value);
  const sign = value < 0 ? minus() : '';
  if (size === 0) return '0';
  if (size >= 1e12) return sign + scientific(size);
  // Rounding may lift it over a limit: 9.99999 is 10.000, with the digits of a ten.
  const rounded = size < 1 ? Number(size.toPrecision(5)) : Number(size.toFixed(decimalsFor(size)));
  if (rounded >= 1) return sign + grouped(rounded, decimalsFor(rounded));
  const zeros = leadingZeros(size);
  if (zeros < 4 || numberForm.value === 'plain') return sign + grouped(size, zeros + 5);
  const digits = size.toExponential(4).split('e')[0]!.replace('.', '');
  return `${sign}0${point()}0${subscript(zeros)}${digits}`;
}

/** With its sign, so that the direction never depends on colour alone. */
export function formatPercent(value: number | null): string {
  if (value === null) return NOTHING;
  const direction = directionOf(value);
  return direction === 'flat' ? formatShare(0) : `${direction === 'up' ? '+' : ''}${formatShare(value)}`;
}

/** A percentage that has no direction, such as a volatility. */
export function formatShare(value: number | null): string {
  if (value === null) return NOTHING;
  const size = Math.abs(value);
  const sign = value < 0 ? minus() : '';
  if (size >= 1e7) return `${sign}${scientific(size)}%`;
  return `${sign}${grouped(size, size >= 1000 ? 0 : size >= 100 ? 1 : 2)}%`;
}

/** A number without a unit of its own kind (a variance): four significant digits. */
export function formatNumber(value: number | null): string {
  if (value === null) return NOTHING;
  const size = Math.abs(value);
  if (size === 0) return '0';
  const sign = value < 0 ? minus() : '';
  if (size >= 1e7 || size < 1e-4) return sign + scientific(size);
  if (size >= 1000) return sign + grouped(size, 0);
  return sign + Number(size.toPrecision(4)).toString().replace('.', point());
}

/** Whole things: 12,345. */
export function formatCount(value: number): string {
  return grouped(value, 0);
}

export type Direction = 'up' | 'down' | 'flat';

/** What would be written as 0.00 % is flat. */
export function directionOf(value: number | null): Direction {
  if (value === null || Math.abs(value) < 0.005) return 'flat';
  return value > 0 ? 'up' : 'down';
}

function decimalsFor(size: number): number {
  if (size >= 1e5) return 0;
  return size >= 10_000 ? 1 : size >= 100 ? 2 : size >= 10 ? 3 : 4;
}

/** Zeros between the point and the first digit: 0 for 0.1, 1 for 0.01. Read from the text, as a logarithm may round up. */
function leadingZeros(size: number): number {
  return -Number(size.toExponential(4).split('e')[1]) - 1;
}

/** Sums of money: 1.235 B for 1,234,567,890. */
export function formatLarge(value: number | null): string {
  if (value === null) return NOTHING;
  const size = Math.abs(value);
  const sign = value < 0 ? minus() : '';
  if (numberForm.value === 'plain') return sign + size.toFixed(size < 1000 ? 2 : 0);
  const [unit, letter] = UNITS.find(([from]) => Number(size.toPrecision(4)) >= from) ?? [1, ''];
  const digits = size / unit;
  return `${sign}${grouped(digits, digits >= 99.995 ? 1 : 2)}${letter}`;
}

const UNITS: readonly (readonly [number, string])[] = [
  [1e12, ' T'],
  [1e9, ' B'],
  [1e6, ' M'],
  [1e3, ' K'],
];

function minus(): string {
  return numberForm.value === 'plain' ? '-' : '−';
}

/** Of fractions. */
function point(): string {
  return grouped(0.5, 1).slice(1, -1);
}

const formats = new Map<string, Intl.NumberFormat>();

function grouped(size: number, decimals: number): string {
  const { value: form } = numberForm;
  if (form === 'plain') return size.toFixed(decimals);
  const name = `${form.locale} ${decimals}`;
  // Latin digits in every locale: prices with counted zeros and exponents have no others.
  const format =
    formats.get(name) ??
    new Intl.NumberFormat(form.locale, {
      numberingSystem: 'latn',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      useGrouping: 'always',
    });
  formats.set(name, format);
  return format.format(size);
}

function scientific(size: number): string {
  const [digits, exponent] = size.toExponential(3).split('e');
  return `${digits!.replace('.', point())}e${Number(exponent)}`; // an exponential has both parts
}

function subscript(count: number): string {
  return String(count).replace(/\d/g, digit => SUBSCRIPTS[Number(digit)]!);
}

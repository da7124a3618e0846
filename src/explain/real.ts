// Real numbers to 154 decimal places: integers that count 2^-512. Prices lie between 1e-18 and 1e15 (`domain/price.ts`), so that every
// result has far more right digits than the 40 that are shown.

declare const realBrand: unique symbol;
/** A whole number of 2^-512. */
export type Real = bigint & { readonly [realBrand]: true };

const BITS = 512n;
const WIDER_BITS = 4096n;
const ONE = real(1n << BITS);
const LN_2 = atanhSeries(ONE / 3n);

export const ZERO: Real = real(0n);

/** The brand is given here only. */
function real(value: bigint): Real {
  return value as Real;
}

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

/** Exact for every double from 2^-460 on, prices in particular. */
export function fromDouble(value: number): Real {
  double[0] = Math.abs(value);
  const exponent = (bits[0]! >> 52n) - 1075n;
  const significand = (bits[0]! & 0xf_ffff_ffff_ffffn) | (1n << 52n);
  const shift = BITS + exponent;
  const magnitude = value === 0 ? 0n : shift >= 0n ? significand << shift : significand >> -shift;
  return real(value < 0 ? -magnitude : magnitude);
}

export function fromInteger(value: number): Real {
  return real(BigInt(value) << BITS);
}

export function toDouble(value: Real): number {
  return Number(value) / 2 ** 512;
}

export function add(a: Real, b: Real): Real {
  return real(a + b);
}

export function subtract(a: Real, b: Real): Real {
  return real(a - b);
}

export function multiply(a: Real, b: Real): Real {
  return real((a * b) >> BITS);
}

export function divide(a: Real, b: Real): Real {
  return real((a << BITS) / b);
}

/** Of two integers in the same unit. */
export function ratioOf(a: bigint, b: bigint): Real {
  return real((a << BITS) / b);
}

/** With so many more digits that decaying for fifty years loses none of the 40 that are shown. */
export function widened(a: Real): bigint {
  return a << WIDER_BITS;
}

export function narrowed(a: bigint): Real {
  return real(a >> WIDER_BITS);
}

export function absolute(a: Real): Real {
  return a < 0n ? real(-a) : a;
}

export function sum(values: readonly Real[]): Real {
  return values.reduce(add, ZERO);
}

export function mean(values: readonly Real[]): Real {
  return divide(sum(values), fromInteger(values.length));
}

/** Of a number that is not negative. */
export function squareRoot(a: Real): Real {
  if (a === 0n) return ZERO;
  const square = a << BITS;
  // Newton's method from above descends until it is there.
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return real(root);
    root = next;
  }
}

/** Of a positive number: a power of two, and the series of what is left. */
export function logarithm(a: Real): Real {
  const power = a.toString(2).length - Number(BITS);
  // Between 0.5 and 1.
  const rest = real(power >= 0 ? a >> BigInt(power) : a << BigInt(-power));
  return real(BigInt(power) * LN_2 + atanhSeries(divide(subtract(rest, ONE), add(rest, ONE))));
}

/** 2 · atanh(x) = ln((1 + x) / (1 − x)) for |x| ≤ 1/3. */
function atanhSeries(x: bigint): bigint {
  const square = (x * x) >> BITS;
  let total = 0n;
  for (let [power, n] = [x, 1n]; power !== 0n && power !== -1n; n += 2n) {
    total += power / n;
    power = (power * square) >> BITS;
  }
  return 2n * total;
}

/** Decimal, with so many significant digits, rounded; without trailing zeros. */
export function decimalText(value: Real, digits: number): string {
  if (value === 0n) return '0';
  const magnitude = absolute(value);
  const { text, exponent } = significant(magnitude, digits);
  const sign = value < 0n ? '-' : '';
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${text}`;
  const padded = text.padEnd(exponent, '0');
  const fraction = padded.slice(exponent);
  return sign + padded.slice(0, exponent) + (fraction === '' ? '' : `.${fraction}`);
}

/** The value is 0.TEXT · 10^exponent. */
function significant(magnitude: bigint, digits: number): { text: string; exponent: number } {
  const places = 160;
  const exponent = ((magnitude * 10n ** BigInt(places)) >> BITS).toString().length - places;
  const shift = digits - exponent;
  const scaled = shift >= 0 ? magnitude * 10n ** BigInt(shift) : magnitude / 10n ** BigInt(-shift);
  const text = ((scaled + (1n << (BITS - 1n))) >> BITS).toString();
  return { text: text.replace(/0+$/, ''), exponent: exponent + text.length - digits };
}

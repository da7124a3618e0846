// Natural logarithms of price ratios, with full relative accuracy however close to 1 the ratio is.

import { productError } from './double-double.ts';

/** The square of the largest artanh argument for which the series below is long enough: a change of about 10 %. */
const SERIES_LIMIT = 0.05 ** 2;

/** ln(later / earlier). */
export function logReturn(earlier: number, later: number): number {
  const s = (later - earlier) / (later + earlier);
  return s * s < SERIES_LIMIT ? twiceArtanh(s) : Math.log(later / earlier);
}

/**
 * The daily log returns ln(later / earlier) of `closes[first … first + count]`, to `returns[to … to + count - 1]`.
 *
 * Computed as 2·artanh(s), s = (later − earlier) / (later + earlier): the difference of close neighbours is exact, so a
 * change in the last digit of a price keeps all its digits, which it would lose in ln(later / earlier). For larger
 * changes the plain logarithm is accurate. Relative error below 12 · 2⁻⁵³.
 */
export function logReturns(
  closes: Float64Array,
  first: number,
  count: number,
  returns: Float64Array,
  to: number = 0,
): void {
  let largest = 0;
  for (let i = 0; i < count; i++) {
    const earlier = closes[first + i]!;
    const later = closes[first + i + 1]!;
    const s = (later - earlier) / (later + earlier);
    if (s * s > largest) largest = s * s;
    returns[to + i] = s;
  }
  // In separate loops, the processor works on several days at once.
  for (let i = to; i < to + count; i++) returns[i] = twiceArtanh(returns[i]!);
  if (largest < SERIES_LIMIT) return;
  for (let i = 0; i < count; i++) {
    const earlier = closes[first + i]!;
    const later = closes[first + i + 1]!;
    const s = (later - earlier) / (later + earlier);
    if (s * s >= SERIES_LIMIT) returns[to + i] = Math.log(later / earlier);
  }
}

/** 2 (s + s³/3 + s⁵/5 + … + s¹¹/11); the next term is below 2⁻⁵⁵ of the first. Paired, to shorten the chain of products. */
function twiceArtanh(s: number): number {
  const q = s * s;
  const q2 = q * q;
  return 2 * (s + s * q * (1 / 3 + q * (1 / 5) + q2 * (1 / 7 + q * (1 / 9) + q2 * (1 / 11))));
}

/**
 * ln(later₁ / earlier₁) − ln(later₂ / earlier₂), exact to a few roundings even if the two agree in nearly every digit, and
 * 0 if they are equal: the logarithm of the quotient of two products, computed with all their 106 bits.
 */
export function logReturnDifference(earlier1: number, later1: number, earlier2: number, later2: number): number {
  const p = later1 * earlier2;
  const q = earlier1 * later2;
  const pLow = productError(later1, earlier2, p);
  const qLow = productError(earlier1, later2, q);

  const low = pLow - qLow;
  const lowBack = low - pLow;
  const lowError = pLow - (low - lowBack) - (qLow + lowBack);
  const difference = p - q + low + lowError;

  const s = difference / (p + q);
  return s * s < SERIES_LIMIT ? twiceArtanh(s) : Math.log(p / q);
}

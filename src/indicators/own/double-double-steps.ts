// Arithmetic with twice the precision of a double on plain numbers: an operation returns the upper part of its result and leaves the lower
// one in `rest.low`. No objects, because a column of one's own may take a thousand operations per asset. What is not finite becomes NaN.

import { productError, sumError } from '../arithmetic/double-double.ts';

export const rest = { low: 0 };

function renormalised(high: number, low: number): number {
  const sum = high + low;
  rest.low = low - (sum - high);
  return sum;
}

export function add(ah: number, al: number, bh: number, bl: number): number {
  const sum = ah + bh;
  return renormalised(sum, sumError(ah, bh, sum) + (al + bl));
}

export function multiply(ah: number, al: number, bh: number, bl: number): number {
  const product = ah * bh;
  return renormalised(product, productError(ah, bh, product) + (ah * bl + al * bh));
}

/** NaN if the divisor is 0. */
export function divide(ah: number, al: number, bh: number, bl: number): number {
  const quotient = ah / bh;
  const product = quotient * bh;
  const left = ah - product - productError(quotient, bh, product) + al - quotient * bl;
  return renormalised(quotient, left / bh);
}

/** NaN of a negative number. */
export function squareRoot(high: number, low: number): number {
  const root = Math.sqrt(high);
  if (root === 0) return renormalised(0, 0);
  const square = root * root;
  const left = high - square - productError(root, root, square) + low;
  return renormalised(root, left / (2 * root));
}

/** NaN unless the number is positive. To the precision of a double. */
export function logarithm(high: number, low: number): number {
  if (!(high > 0)) return renormalised(Number.NaN, 0);
  return renormalised(Math.log(high), low / high);
}

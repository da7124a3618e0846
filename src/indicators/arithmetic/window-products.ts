// Sums of the products of two sequences over the last n days, of many days, each from a few additions.
//
// Days are cut into blocks of n, at the multiples of n. A window is the end of one block and the beginning of the next, and each of these
// two parts is added up from the boundary outwards, so that it grows by one day at a time. Nothing is subtracted, so a
// sum has no error from days outside its window, and its bits do not depend on which other windows are computed.

import { sumError } from './double-double.ts';

export interface Factors {
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** From an index of `a` to that of `b` on the same day. */
  readonly shift: number;
  /** Of index 0 of `a`. */
  readonly firstDay: number;
}

/** The ends of a block by their length, and what rounding took from them. */
let tails = new Float64Array(0);
let tailRests = new Float64Array(0);

/**
 * Σ a · b of the n days up to each of the days `first … end - 1`, to `out`. Nearly all of the error of a sum are the rounding of each
 * product and that of the result.
 */
export function windowProducts(factors: Factors, count: number, first: number, end: number, out: Float64Array): void {
  const { a, b, shift, firstDay } = factors;
  if (tails.length < count) [tails, tailRests] = [new Float64Array(count), new Float64Array(count)];
  for (let day = first; day < end; ) {
    const boundary = day - ((firstDay + day) % count);
    let sum = 0;
    let rest = 0;
    tails[0] = tailRests[0] = 0;
    for (let length = 1, i = boundary - 1; length < count - (day - boundary); length++, i--) {
      const product = a[i]! * b[i + shift]!;
      const next = sum + product;
      rest += sumError(sum, product, next);
      sum = next;
      tails[length] = sum;
      tailRests[length] = rest;
    }
    sum = rest = 0;
    const blockEnd = Math.min(boundary + count, end);
    for (let i = boundary; i < blockEnd; i++) {
      const product = a[i]! * b[i + shift]!;
      const next = sum + product;
      rest += sumError(sum, product, next);
      sum = next;
      if (i < day) continue;
      const tail = tails[boundary + count - 1 - i]!;
      const total = tail + sum;
      out[i - first] = total + (sumError(tail, sum, total) + (tailRests[boundary + count - 1 - i]! + rest));
    }
    day = blockEnd;
  }
}

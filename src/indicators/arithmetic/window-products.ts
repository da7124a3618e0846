// Sums of the products of two sequences over the last n days, day after day, each from a few additions.
//
// Days are cut into blocks of n, at the multiples of n. A window is the end of one block and the beginning of the next, and each of these
// two parts is added up from the boundary outwards, so that it grows by one day at a time. Nothing is subtracted: no error is left of days
// that are no longer in the window, and a window has the same bits whether the one before it was summed or not.

import { sumError } from './double-double.ts';

/** The ends of a block, by their length. */
interface Tails {
  /** The next block begins there. */
  boundary: number;
  longest: number;
  readonly sums: Float64Array;
  readonly rests: Float64Array;
}

export class WindowProducts {
  readonly #a: Float64Array;
  readonly #b: Float64Array;
  /** From an index of the one to that of the other on the same day. */
  readonly #shift: number;
  readonly #count: number;
  /** Of index 0 of the one. */
  readonly #firstDay: number;
  #last = Number.NaN;
  /** The part from the boundary on, and what rounding took from it. */
  #head = 0;
  #headRest = 0;
  /** Made for the second day, because most windows are of one. */
  #tails: Tails | null = null;
  #sum = 0;
  #rest = 0;

  constructor(a: Float64Array, b: Float64Array, shift: number, count: number, firstDay: number) {
    this.#a = a;
    this.#b = b;
    this.#shift = shift;
    this.#count = count;
    this.#firstDay = firstDay;
  }

  /** Σ a · b of the n days up to `last`. Nearly all of its error are the rounding of each product and that of the result. */
  upTo(last: number): number {
    const boundary = last - ((this.#firstDay + last) % this.#count);
    const isNext = last === this.#last + 1;
    this.#last = last;
    if (isNext && last > boundary) this.#add(last, 1, 1, this.#head, this.#headRest, null);
    else this.#add(boundary, 1, last - boundary + 1, 0, 0, null);
    this.#head = this.#sum;
    this.#headRest = this.#rest;
    const length = this.#count - (last - boundary + 1);
    let tail: number;
    let tailRest: number;
    if (isNext) {
      const { sums, rests } = this.#tailsBefore(boundary, length);
      tail = sums[length]!;
      tailRest = rests[length]!;
    } else {
      this.#add(boundary - 1, -1, length, 0, 0, null);
      tail = this.#sum;
      tailRest = this.#rest;
    }
    const total = tail + this.#head;
    return total + (sumError(tail, this.#head, total) + (tailRest + this.#headRest));
  }

  #tailsBefore(boundary: number, length: number): Tails {
    const ofLengths = () => new Float64Array(this.#count);
    this.#tails ??= { boundary: -1, longest: 0, sums: ofLengths(), rests: ofLengths() };
    const tails = this.#tails;
    if (tails.boundary !== boundary || tails.longest < length) {
      this.#add(boundary - 1, -1, length, 0, 0, tails);
      tails.boundary = boundary;
      tails.longest = length;
    }
    return tails;
  }

  /** So many products from an index on, one after the other, to a sum; each new sum also to `tails`. */
  #add(from: number, step: 1 | -1, count: number, before: number, restBefore: number, tails: Tails | null): void {
    const a = this.#a;
    const b = this.#b;
    const shift = this.#shift;
    let sum = before;
    let rest = restBefore;
    for (let k = 1, i = from; k <= count; k++, i += step) {
      const product = a[i]! * b[i + shift]!;
      const next = sum + product;
      rest += sumError(sum, product, next);
      sum = next;
      if (tails === null) continue;
      tails.sums[k] = sum;
      tails.rests[k] = rest;
    }
    this.#sum = sum;
    this.#rest = rest;
  }
}

// A set of row numbers, one bit a row: small enough to stay in the processor's cache while an order is walked at random.

import type { Span } from './sort-keys.ts';

export class Marks {
  /** Of both sets of words. It never shrinks: tables of several sizes take turns. */
  #memory = new Int32Array(0);
  /** Row r is bit `r % 32` of word `r / 32`. Bits behind the last row are 0. */
  #words = new Int32Array(0);
  #spare = new Int32Array(0);
  /** As long as nothing was forgotten, a list need not be joined with what is marked. */
  #allMarked = false;

  get words(): Int32Array {
    return this.#words;
  }

  /** The same, for someone who forgets marks himself. */
  wordsToNarrow(): Int32Array {
    this.#allMarked = false;
    return this.#words;
  }

  markNone(rows: number): void {
    const length = (rows + 31) >>> 5;
    if (this.#words.length !== length) {
      if (this.#memory.length < 2 * length) this.#memory = new Int32Array(2 * length);
      this.#words = this.#memory.subarray(0, length);
      this.#spare = this.#memory.subarray(length, 2 * length);
    }
    this.#words.fill(0);
    this.#allMarked = false;
  }

  markAll(rows: number): void {
    this.markNone(rows);
    this.#words.fill(-1);
    if (rows % 32 > 0) this.#words[rows >>> 5] = 2 ** (rows % 32) - 1;
    this.#allMarked = true;
  }

  /** Takes over the words of another set for as many rows. */
  markAs(words: Int32Array): void {
    this.markNone(32 * words.length);
    this.#words.set(words);
  }

  add(rows: Uint32Array, count: number = rows.length): void {
    set(this.#words, rows, count);
  }

  /** Forgets every row but these. */
  keepOnly(rows: Uint32Array): void {
    if (this.#allMarked) {
      this.#words.fill(0);
      set(this.#words, rows, rows.length);
    } else {
      this.#spare.fill(0);
      set(this.#spare, rows, rows.length);
      for (let i = 0; i < this.#words.length; i++) this.#words[i]! &= this.#spare[i]!;
    }
    this.#allMarked = false;
  }

  /** Forgets every row but those of a span of an order, which has all rows. */
  keepSpan(order: Uint32Array, { from, to }: Span): void {
    if (to - from <= order.length / 2) {
      this.keepOnly(order.subarray(from, to));
    } else {
      clear(this.#words, order, 0, from);
      clear(this.#words, order, to, order.length);
      this.#allMarked &&= to - from === order.length;
    }
  }

  count(): number {
    const words = this.#words;
    let total = 0;
    for (let i = 0; i < words.length; i++) total += bitCount(words[i]!);
    return total;
  }

  /** Writes the marked rows, ascending, and returns their number. */
  list(out: Uint32Array): number {
    const words = this.#words;
    let count = 0;
    for (let i = 0; i < words.length; i++) {
      for (let bits = words[i]!; bits !== 0; bits &= bits - 1) out[count++] = 32 * i + 31 - Math.clz32(bits & -bits);
    }
    return count;
  }

  /** Of `rows[from … to - 1]` keeps those that are marked, in their order, from `from` on; returns their end. */
  keep(rows: Uint32Array, from: number, to: number): number {
    const words = this.#words;
    let end = from;
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      rows[end] = row;
      end += (words[row >>> 5]! >>> (row & 31)) & 1;
    }
    return end;
  }
}

function set(words: Int32Array, rows: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    words[row >>> 5]! |= 1 << (row & 31);
  }
}

function clear(words: Int32Array, rows: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    words[row >>> 5]! &= ~(1 << (row & 31));
  }
}

/** Pairs of bits, then fours, then bytes hold how many of them are set; the multiplication adds the bytes up. */
function bitCount(bits: number): number {
  const pairs = (bits - ((bits >>> 1) & 0x5555_5555)) | 0;
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

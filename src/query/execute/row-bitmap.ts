// A set of row numbers as a bitmap: one bit per row, so that it stays in the processor's cache while an order is walked at random.

import type { Span } from './sort-keys.ts';

export class RowBitmap {
  /** Of both sets of words. It never shrinks: tables of several sizes take turns. */
  #memory = new Int32Array(0);
  /** Row r is bit `r % 32` of word `r / 32`. Bits after the last row are 0. */
  #words = new Int32Array(0);
  #scratch = new Int32Array(0);
  /** While every row is in the set, an intersection with a list is the list. */
  #full = false;

  get words(): Int32Array {
    return this.#words;
  }

  /** The same, for a caller that removes rows by clearing bits. */
  writableWords(): Int32Array {
    this.#full = false;
    return this.#words;
  }

  /** Makes the set empty, for a table of so many rows. */
  clear(rows: number): void {
    const length = (rows + 31) >>> 5;
    if (this.#words.length !== length) {
      if (this.#memory.length < 2 * length) this.#memory = new Int32Array(2 * length);
      this.#words = this.#memory.subarray(0, length);
      this.#scratch = this.#memory.subarray(length, 2 * length);
    }
    this.#words.fill(0);
    this.#full = false;
  }

  /** Makes the set hold every row of a table of so many rows. */
  fill(rows: number): void {
    this.clear(rows);
    this.#words.fill(-1);
    if (rows % 32 > 0) this.#words[rows >>> 5] = 2 ** (rows % 32) - 1;
    this.#full = true;
  }

  /** Takes over the words of another bitmap for the same number of rows. */
  copyFrom(words: Int32Array): void {
    this.clear(32 * words.length);
    this.#words.set(words);
  }

  add(rows: Uint32Array, count: number = rows.length): void {
    setBits(this.#words, rows, count);
  }

  /** Removes every row that is not among these. */
  intersect(rows: Uint32Array): void {
    if (this.#full) {
      this.#words.fill(0);
      setBits(this.#words, rows, rows.length);
    } else {
      this.#scratch.fill(0);
      setBits(this.#scratch, rows, rows.length);
      for (let i = 0; i < this.#words.length; i++) this.#words[i]! &= this.#scratch[i]!;
    }
    this.#full = false;
  }

  /** Removes every row outside a span of an order, which has all rows. */
  intersectSpan(order: Uint32Array, { from, to }: Span): void {
    if (to - from <= order.length / 2) {
      this.intersect(order.subarray(from, to));
    } else {
      clearBits(this.#words, order, 0, from);
      clearBits(this.#words, order, to, order.length);
      this.#full &&= to - from === order.length;
    }
  }

  count(): number {
    const words = this.#words;
    let total = 0;
    for (let i = 0; i < words.length; i++) total += bitCount(words[i]!);
    return total;
  }

  /** Writes the rows of the set, ascending, and returns their number. */
  list(out: Uint32Array): number {
    const words = this.#words;
    let count = 0;
    for (let i = 0; i < words.length; i++) {
      for (let bits = words[i]!; bits !== 0; bits &= bits - 1) out[count++] = 32 * i + 31 - Math.clz32(bits & -bits);
    }
    return count;
  }

  /** Of `rows[from … to - 1]` keeps those in the set, in their order, starting at `from`; returns their end. */
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

function setBits(words: Int32Array, rows: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    words[row >>> 5]! |= 1 << (row & 31);
  }
}

function clearBits(words: Int32Array, rows: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    words[row >>> 5]! &= ~(1 << (row & 31));
  }
}

/** Population count: pairs of bits, then fours, then bytes hold the number of set bits; the multiplication adds the bytes. */
function bitCount(bits: number): number {
  const pairs = (bits - ((bits >>> 1) & 0x5555_5555)) | 0;
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

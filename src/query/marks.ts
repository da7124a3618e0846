// A set of row numbers, one bit a row: small enough to stay in the processor's cache while an order is walked at random.

import type { RowTest } from './row-test.ts';

export class Marks implements Pick<RowTest, 'keep'> {
  #words = new Int32Array(0);

  /** Forgets what was marked before. */
  reset(rows: number): void {
    const words = (rows + 31) >>> 5;
    if (this.#words.length < words) this.#words = new Int32Array(words);
    else this.#words.fill(0, 0, words);
  }

  addAll(rows: Uint32Array, count: number): void {
    const words = this.#words;
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      words[row >>> 5]! |= 1 << (row & 31);
    }
  }

  /** 1 or 0, to be counted with. */
  has(row: number): number {
    return (this.#words[row >>> 5]! >>> (row & 31)) & 1;
  }

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

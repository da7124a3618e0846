// Ranges and not-null of a column without an order: every row is looked at.

import type { RowBitmap } from './row-bitmap.ts';
import type { RowTest } from './row-test.ts';

export class UnorderedTest implements RowTest {
  readonly atMost: number;
  readonly candidates = null;
  readonly #values: Float64Array | Int32Array | Uint8Array;
  readonly #low: number;
  readonly #high: number;

  /** Both ends included. No range contains null (NaN). */
  constructor(values: Float64Array | Int32Array | Uint8Array, low: number, high: number) {
    this.atMost = values.length;
    this.#values = values;
    this.#low = low;
    this.#high = high;
  }

  /** Branch-free: each row is written, and the end advances only after a row that passes. */
  keep(rows: Uint32Array, from: number, to: number): number {
    const [values, low, high] = [this.#values, this.#low, this.#high];
    let end = from;
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      const value = values[row]!;
      rows[end] = row;
      end += +(value >= low) & +(value <= high);
    }
    return end;
  }

  narrow(bitmap: RowBitmap): void {
    const [values, low, high] = [this.#values, this.#low, this.#high];
    const words = bitmap.writableWords();
    for (let i = 0; i < words.length; i++) {
      let passing = 0;
      for (let rest = words[i]!; rest !== 0; rest &= rest - 1) {
        const bit = 31 - Math.clz32(rest & -rest);
        const value = values[32 * i + bit]!;
        passing |= (+(value >= low) & +(value <= high)) << bit;
      }
      words[i] = passing;
    }
  }
}

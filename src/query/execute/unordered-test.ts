// Ranges and not-null of a column without an order: every row is looked at.

import type { RowBitmap } from './row-bitmap.ts';
import { keepInRange, type RangeValues, type RowTest } from './row-test.ts';

export class UnorderedTest implements RowTest {
  readonly atMost: number;
  readonly candidates = null;
  readonly #values: RangeValues;
  readonly #low: number;
  readonly #high: number;

  /** Both ends included. No range contains null (NaN). */
  constructor(values: RangeValues, low: number, high: number) {
    this.atMost = values.length;
    this.#values = values;
    this.#low = low;
    this.#high = high;
  }

  keep(rows: Uint32Array, from: number, to: number): number {
    return keepInRange(this.#values, [this.#low, this.#high], rows, [from, to]);
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

// Comparisons of two columns. No order helps them, so most of a query's time is spent in these loops. No branch in them depends
// on the values.

import { equalWord, greaterWord } from '../compare-words.ts';
import { OPERATORS, type Operator } from '../operators.ts';
import type { RowBitmap } from './row-bitmap.ts';
import type { RowTest } from './row-test.ts';

export class ComparisonTest implements RowTest {
  readonly atMost: number;
  readonly candidates = null;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  /** Which of the three outcomes of a comparison pass, 1 or 0 each. A comparison with a null (NaN) has none of them. */
  readonly #greater: number;
  readonly #less: number;
  readonly #equal: number;

  constructor(left: Float64Array, operator: Operator, right: Float64Array) {
    const { holds } = OPERATORS[operator];
    this.atMost = left.length;
    this.#left = left;
    this.#right = right;
    this.#greater = +holds(1, 0);
    this.#less = +holds(0, 1);
    this.#equal = +holds(0, 0);
  }

  keep(rows: Uint32Array, from: number, to: number): number {
    const [left, right, greater, less, equal] = [this.#left, this.#right, this.#greater, this.#less, this.#equal];
    let end = from;
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      const a = left[row]!;
      const b = right[row]!;
      rows[end] = row;
      end += (+(a > b) & greater) | (+(a < b) & less) | (+(a === b) & equal);
    }
    return end;
  }

  narrow(bitmap: RowBitmap): void {
    const words = bitmap.writableWords();
    const whole = this.#left.length >>> 5;
    for (let i = 0; i < words.length; i++) {
      const selected = words[i]!;
      if (i < whole && hasMoreThanThree(selected)) words[i] = selected & this.#word(32 * i);
      else if (selected !== 0) words[i] = this.#single(selected, 32 * i);
    }
  }

  /** One bit per row, for the 32 rows starting at `row`. */
  #word(row: number): number {
    const [left, right] = [this.#left, this.#right];
    let bits = 0;
    if (this.#greater === 1) bits |= greaterWord(left, row, right, row);
    if (this.#less === 1) bits |= greaterWord(right, row, left, row);
    if (this.#equal === 1) bits |= equalWord(left, row, right, row);
    return bits;
  }

  #single(selected: number, base: number): number {
    const [left, right, greater, less, equal] = [this.#left, this.#right, this.#greater, this.#less, this.#equal];
    let passing = 0;
    for (let rest = selected; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest);
      const a = left[base + bit]!;
      const b = right[base + bit]!;
      passing |= ((+(a > b) & greater) | (+(a < b) & less) | (+(a === b) & equal)) << bit;
    }
    return passing;
  }
}

/** Up to three rows of a word are tested one by one, more of them all 32 at once: a single row costs about eight times as much. */
function hasMoreThanThree(bits: number): boolean {
  const withoutOne = bits & (bits - 1);
  const withoutTwo = withoutOne & (withoutOne - 1);
  return (withoutTwo & (withoutTwo - 1)) !== 0;
}

// The loops over numbers in which most of a query's time goes.
//
// No branch in them depends on the data: each row is written, and the end moves on only behind a row that passes. So a
// million rows take a few milliseconds however the values lie.

import { OPERATORS, type Operator } from './plan.ts';
import type { RowTest } from './row-test.ts';

type Values = Float64Array | Int32Array | Uint32Array | Uint8Array;

interface Condition {
  readonly left: Values;
  /** Null: `left` is compared with `low` and `high`. */
  readonly right: Float64Array | null;
  readonly low: number;
  readonly high: number;
  /** Which of the three outcomes of a comparison pass, 1 or 0 each; with a null (NaN) there is none of them. */
  readonly greater: number;
  readonly less: number;
  readonly equal: number;
}

export class NumberTest implements RowTest {
  readonly #condition: Condition;

  private constructor(condition: Condition) {
    this.#condition = condition;
  }

  /** Both ends included. Null (NaN) lies in no range. */
  static within(left: Values, low: number, high: number): NumberTest {
    return new NumberTest({ left, right: null, low, high, greater: 0, less: 0, equal: 0 });
  }

  static compared(left: Float64Array, operator: Operator, right: Float64Array): NumberTest {
    const { holds } = OPERATORS[operator];
    const outcomes = { greater: +holds(1, 0), less: +holds(0, 1), equal: +holds(0, 0) };
    return new NumberTest({ left, right, low: 0, high: 0, ...outcomes });
  }

  scan(from: number, to: number, out: Uint32Array, at: number): number {
    return run(this.#condition, out, from, to, at, true);
  }

  keep(rows: Uint32Array, from: number, to: number): number {
    return run(this.#condition, rows, from, to, from, false);
  }
}

/**
 * Writes what passes to `rows` from `at` on and returns its end. Consecutive: of the row numbers `from … to - 1`; else of
 * `rows[from … to - 1]`.
 *
 * One function for all four loops, and the first of them two rows a turn, to be longer than the 460 bytes of bytecode up to
 * which V8 draws a function into its callers. There the loops would stay in the code of a middle tier: ten times slower,
 * measured.
 */
function run(test: Condition, rows: Uint32Array, from: number, to: number, at: number, consecutive: boolean): number {
  const { left, right, low, high, greater, less, equal } = test;
  let end = at;
  if (right === null) {
    if (consecutive) {
      let row = from;
      for (; row + 1 < to; row += 2) {
        const value = left[row]!;
        const next = left[row + 1]!;
        rows[end] = row;
        end += +(value >= low) & +(value <= high);
        rows[end] = row + 1;
        end += +(next >= low) & +(next <= high);
      }
      if (row < to) {
        const value = left[row]!;
        rows[end] = row;
        end += +(value >= low) & +(value <= high);
      }
    } else {
      for (let i = from; i < to; i++) {
        const row = rows[i]!;
        const value = left[row]!;
        rows[end] = row;
        end += +(value >= low) & +(value <= high);
      }
    }
  } else if (consecutive) {
    for (let row = from; row < to; row++) {
      const a = left[row]!;
      const b = right[row]!;
      rows[end] = row;
      end += (+(a > b) & greater) | (+(a < b) & less) | (+(a === b) & equal);
    }
  } else {
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      const a = left[row]!;
      const b = right[row]!;
      rows[end] = row;
      end += (+(a > b) & greater) | (+(a < b) & less) | (+(a === b) & equal);
    }
  }
  return end;
}

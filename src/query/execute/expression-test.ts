// A condition as a filter of rows.

import { finish, type Steps } from '../../common/steps.ts';
import type { Table } from '../../snapshot/table.ts';
import { BLOCK_ROWS } from '../expression/inputs.ts';
import type { BooleanNode, NumberNode } from '../expression/nodes.ts';
import type { Block } from '../expression/operations.ts';
import { Program } from '../expression/program.ts';
import type { FirstRows } from './first-rows.ts';
import type { RowBitmap } from './row-bitmap.ts';
import type { RowTest } from './row-test.ts';

const BLOCK_WORDS = BLOCK_ROWS / 32;
/** Of a block; so few rows are sooner gathered than the whole block is computed. */
const FEW_ROWS = BLOCK_ROWS / 16;

export class ExpressionTest implements RowTest {
  readonly atMost: number;
  readonly candidates = null;
  readonly #program: Program;
  readonly #passing: Int32Array;
  readonly #few = new Uint32Array(FEW_ROWS);

  constructor(table: Table, condition: BooleanNode) {
    this.atMost = table.rows;
    this.#program = new Program(table);
    this.#passing = this.#program.addCondition(condition);
  }

  keep(rows: Uint32Array, from: number, to: number): number {
    const passing = this.#passing;
    let end = from;
    for (let start = from; start < to; start += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, to - start);
      this.#program.runOnList(rows, start, count);
      for (let i = 0; i < count; i++) {
        rows[end] = rows[start + i]!;
        end += (passing[i >>> 5]! >>> (i & 31)) & 1;
      }
    }
    return end;
  }

  narrow(bitmap: RowBitmap): void {
    finish(this.narrowInSteps(bitmap));
  }

  narrowInSteps(bitmap: RowBitmap): Steps<void> {
    return this.#narrow(bitmap, null);
  }

  /** The same, and of the rows that pass takes the first by a number, which is computed together with the condition. */
  narrowAndTake(bitmap: RowBitmap, by: NumberNode, first: FirstRows): Steps<void> {
    return this.#narrow(bitmap, { values: this.#program.addNumber(by), first });
  }

  *#narrow(bitmap: RowBitmap, taking: { readonly values: Block; readonly first: FirstRows } | null): Steps<void> {
    const words = bitmap.writableWords();
    for (let start = 0; start < words.length; start += BLOCK_WORDS) {
      const end = Math.min(start + BLOCK_WORDS, words.length);
      const few = this.#listFew(words, start, end);
      if (few < 0) {
        const rows = Math.min(32 * end, this.atMost) - 32 * start;
        this.#narrowBlock(words, start, end, rows);
        taking?.first.takeRun(taking.values, 32 * start, rows, words);
      } else if (few > 0) {
        this.#narrowFew(words, few);
        taking?.first.takeList(taking.values, this.#few, 0, few, words);
      }
      yield;
    }
  }

  /** Lists the rows of these words and returns their number; -1 if they are not few. */
  #listFew(words: Int32Array, start: number, end: number): number {
    let count = 0;
    for (let word = start; word < end; word++) {
      for (let bits = words[word]!; bits !== 0; bits &= bits - 1) {
        if (count === FEW_ROWS) return -1;
        this.#few[count++] = 32 * word + 31 - Math.clz32(bits & -bits);
      }
    }
    return count;
  }

  #narrowBlock(words: Int32Array, start: number, end: number, rows: number): void {
    this.#program.runOver(32 * start, rows);
    for (let word = start; word < end; word++) words[word]! &= this.#passing[word - start]!;
  }

  #narrowFew(words: Int32Array, count: number): void {
    this.#program.runOnList(this.#few, 0, count);
    for (let i = 0; i < count; i++) {
      const row = this.#few[i]!;
      const passes = (this.#passing[i >>> 5]! >>> (i & 31)) & 1;
      if (passes === 0) words[row >>> 5]! &= ~(1 << (row & 31));
    }
  }
}

// The first rows in the order of a column that has no stored order, such as a computed one: values are computed block by block, and only rows
// that may be among the first are kept.

import type { Steps } from '../../common/steps.ts';
import type { Table } from '../../snapshot/table.ts';
import { BLOCK_ROWS } from '../expression/inputs.ts';
import type { NumberNode } from '../expression/nodes.ts';
import type { Block } from '../expression/operations.ts';
import { Program } from '../expression/program.ts';
import type { Plan } from '../parse/plan.ts';
import type { Scratch } from './scratch.ts';
import { sortSpan } from './select-rows.ts';

/** Sorts so many kept rows at least before the best of them are chosen. */
const LEAST_KEPT = 4096;
/** From one row in so many on, all rows are computed. */
const DENSE_SHARE = 8;
/** Computed in one step: a few hundredths of a millisecond for one operator, a millisecond for as many as an expression may have. */
const STEP_ROWS = 4 * BLOCK_ROWS;

/** Whether the sort column is one of numbers: a program computes numbers only. */
export function choosesFirstRows({ sort }: Plan, { columns }: Table): boolean {
  return columns[sort] === undefined || columns[sort].kind === 'number';
}

export function sortNode({ computed, sort }: Plan, table: Table): NumberNode {
  return computed[sort - table.dataset.columns.length] ?? { kind: 'column', column: sort };
}

/** Of the rows that it is given in ascending order, the first `wanted` in the order of the plan: nulls last, ties by row. */
export class FirstRows {
  readonly #wanted: number;
  readonly #descending: boolean;
  readonly #capacity: number;
  readonly #keys: Float64Array;
  readonly #rows: Uint32Array;
  #end = 0;
  /** The value of the last of the first rows so far: a later row with the same one sorts behind it. Null if that row has none. */
  #limit: number | null = null;

  constructor({ order }: Plan, wanted: number) {
    this.#wanted = wanted;
    this.#descending = order === 'desc';
    this.#capacity = Math.max(LEAST_KEPT, 2 * wanted) + BLOCK_ROWS;
    this.#keys = new Float64Array(this.#capacity);
    this.#rows = new Uint32Array(this.#capacity);
  }

  /** The rows `start …` of a block, so many, that are in a bitmap; `start` is a multiple of 32. */
  takeRun({ values }: Block, start: number, size: number, words: Int32Array): void {
    const better = this.#descending ? anyAbove : anyBelow;
    const limit = this.#limit;
    for (let at = 0; at < size; at += 32) {
      const bits = words[(start + at) >>> 5]!;
      // Of most words no row is good enough, whatever the bitmap says.
      if (bits !== 0 && (limit === null || better(values, at, limit))) this.#takeWord(values, start, at, bits);
    }
    this.#settle();
  }

  /** The rows `rows[from …]`, so many, that are in a bitmap; their values are those of a block. */
  takeList({ values }: Block, rows: Uint32Array, from: number, size: number, words: Int32Array): void {
    for (let i = 0; i < size; i++) {
      const row = rows[from + i]!;
      if (((words[row >>> 5]! >>> (row & 31)) & 1) === 1) this.#take(values[i]!, row);
    }
    this.#settle();
  }

  /** From a place on; fewer than wanted if fewer were given. */
  rows(from: number): Uint32Array {
    const to = Math.min(this.#wanted, this.#end);
    sortSpan(this.#keys, this.#rows, 0, this.#end, { from, to });
    return this.#rows.slice(from, to);
  }

  /** Those of 32 rows that are selected. */
  #takeWord(values: Float64Array, start: number, at: number, selected: number): void {
    for (let bits = selected; bits !== 0; bits &= bits - 1) {
      const i = at + 31 - Math.clz32(bits & -bits);
      this.#take(values[i]!, start + i);
    }
  }

  #take(value: number, row: number): void {
    const limit = this.#limit;
    if (limit !== null && !(this.#descending ? value > limit : value < limit)) return;
    // Values are finite, so that infinity puts nulls last.
    this.#keys[this.#end] = Number.isNaN(value) ? Number.POSITIVE_INFINITY : this.#descending ? -value : value;
    this.#rows[this.#end++] = row;
  }

  /** Makes room for the next block. */
  #settle(): void {
    if (this.#end <= this.#capacity - BLOCK_ROWS) return;
    sortSpan(this.#keys, this.#rows, 0, this.#end, { from: 0, to: this.#wanted });
    this.#end = this.#wanted;
    const key = this.#keys[this.#wanted - 1]!;
    if (key < Number.POSITIVE_INFINITY) this.#limit = this.#descending ? -key : key;
  }
}

/** Whether one of 32 values is above a limit. Without a branch per value; a null (NaN) is not. */
function anyAbove(values: Float64Array, from: number, limit: number): boolean {
  let above = 0;
  for (let i = from; i < from + 32; i += 4) {
    above |= +(values[i]! > limit) | +(values[i + 1]! > limit) | +(values[i + 2]! > limit) | +(values[i + 3]! > limit);
  }
  return above !== 0;
}

function anyBelow(values: Float64Array, from: number, limit: number): boolean {
  let below = 0;
  for (let i = from; i < from + 32; i += 4) {
    below |= +(values[i]! < limit) | +(values[i + 1]! < limit) | +(values[i + 2]! < limit) | +(values[i + 3]! < limit);
  }
  return below !== 0;
}

/** Gives the rows of the scratch bitmap, which are `count`. */
export function* takeAll(first: FirstRows, plan: Plan, table: Table, scratch: Scratch, count: number): Steps<void> {
  const { bitmap } = scratch;
  const program = new Program(table);
  const block = program.addNumber(sortNode(plan, table));
  // Rows that follow one another are computed several times faster than rows of a list.
  const rows = count * DENSE_SHARE >= table.rows ? null : scratch.rowBuffer(count);
  if (rows !== null) bitmap.list(rows);
  const total = rows === null ? table.rows : count;
  const take = (from: number, to: number) => {
    for (let start = from; start < to; start += BLOCK_ROWS) {
      const size = Math.min(BLOCK_ROWS, to - start);
      if (rows === null) {
        program.runOver(start, size);
        first.takeRun(block, start, size, bitmap.words);
      } else {
        program.runOnList(rows, start, size);
        first.takeList(block, rows, start, size, bitmap.words);
      }
    }
  };
  // V8 makes slower code of the loops of a generator.
  for (let start = 0; start < total; start += STEP_ROWS) {
    take(start, Math.min(start + STEP_ROWS, total));
    yield;
  }
}

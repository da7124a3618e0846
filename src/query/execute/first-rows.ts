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
  takeRun({ array, offset }: Block, start: number, size: number, words: Int32Array): void {
    const shift = offset - start;
    for (let word = start >>> 5; 32 * word < start + size; word++) {
      const bits = words[word]!;
      // Of most words no row is good enough, whatever the bitmap says.
      if (bits !== 0 && this.#mayTake(array, 32 * word + shift)) this.#takeWord(array, shift, word, bits);
    }
    this.#settle();
  }

  /** The rows `rows[from …]`, so many, that are in a bitmap; their values are those of a block. */
  takeList({ array, offset }: Block, rows: Uint32Array, from: number, size: number, words: Int32Array): void {
    for (let i = 0; i < size; i++) {
      const row = rows[from + i]!;
      if (((words[row >>> 5]! >>> (row & 31)) & 1) === 1) this.#take(array[offset + i]!, row);
    }
    this.#settle();
  }

  /** From a place on; fewer than wanted if fewer were given. */
  rows(from: number): Uint32Array {
    const to = Math.min(this.#wanted, this.#end);
    sortSpan(this.#keys, this.#rows, 0, this.#end, { from, to });
    return this.#rows.slice(from, to);
  }

  /** Whether one of 32 values is better than the limit. Without a branch per value; a null (NaN) is not. */
  #mayTake(array: Float64Array, from: number): boolean {
    if (this.#limit === null) return true;
    const limit = this.#limit;
    let better = 0;
    if (this.#descending) {
      for (let i = from; i < from + 32; i += 4) {
        better |= +(array[i]! > limit) | +(array[i + 1]! > limit) | +(array[i + 2]! > limit) | +(array[i + 3]! > limit);
      }
    } else {
      for (let i = from; i < from + 32; i += 4) {
        better |= +(array[i]! < limit) | +(array[i + 1]! < limit) | +(array[i + 2]! < limit) | +(array[i + 3]! < limit);
      }
    }
    return better !== 0;
  }

  #takeWord(array: Float64Array, shift: number, word: number, selected: number): void {
    for (let bits = selected; bits !== 0; bits &= bits - 1) {
      const row = 32 * word + 31 - Math.clz32(bits & -bits);
      this.#take(array[row + shift]!, row);
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

/** Gives the rows of the scratch bitmap, which are `count`. */
export function* takeAll(first: FirstRows, plan: Plan, table: Table, scratch: Scratch, count: number): Steps<void> {
  const { bitmap } = scratch;
  const program = new Program(table);
  const block = program.addNumber(sortNode(plan, table));
  // Rows that follow one another are computed several times faster than rows of a list.
  const rows = count * DENSE_SHARE >= table.rows ? null : scratch.rowBuffer(count);
  if (rows !== null) bitmap.list(rows);
  const total = rows === null ? table.rows : count;
  for (let start = 0; start < total; start += BLOCK_ROWS) {
    const size = Math.min(BLOCK_ROWS, total - start);
    if (rows === null) {
      program.runOver(start, size);
      first.takeRun(block, start, size, bitmap.words);
    } else {
      program.runOnList(rows, start, size);
      first.takeList(block, rows, start, size, bitmap.words);
    }
    yield;
  }
}

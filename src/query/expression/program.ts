// Nodes as a list of steps that run over a block of rows: numbers in scratch columns, truth values in words of 32 bits. A node that
// is used twice is computed once per block.

import type { Table } from '../../snapshot/table.ts';
import {
  atLeastWord,
  atMostWord,
  type CompareWord,
  differWord,
  equalWord,
  greaterWord,
  lessWord,
} from '../compare-words.ts';
import type { Operator } from '../operators.ts';
import {
  BitmapInput,
  BLOCK_ROWS,
  flagTest,
  type Input,
  missingTest,
  numberInput,
  TestInput,
  textTest,
  valuesInput,
} from './inputs.ts';
import type { BooleanNode, NumberNode } from './nodes.ts';
import { type Block, OPERATIONS } from './operations.ts';

const BLOCK_WORDS = BLOCK_ROWS / 32;

const COMPARE: Readonly<Record<Operator, CompareWord>> = {
  '=': equalWord,
  '!=': differWord,
  '>': greaterWord,
  '>=': atLeastWord,
  '<': lessWord,
  '<=': atMostWord,
};

/** Computes so many rows (a multiple of 32) and words. */
type Step = (rows: number, words: number) => void;

export class Program {
  readonly #table: Table;
  readonly #inputs: Input[] = [];
  readonly #steps: Step[] = [];
  readonly #blocks = new Map<NumberNode, Block>();
  readonly #columns = new Map<number, Block>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** Where the values of a node are after each run. */
  addNumber(node: NumberNode): Block {
    const known = this.#blocks.get(node);
    if (known !== undefined) return known;
    const block = this.#numberBlock(node);
    this.#blocks.set(node, block);
    return block;
  }

  /** Where the truth values of a node are after each run: row i is bit `i % 32` of word `i / 32`. */
  addCondition(node: BooleanNode): Int32Array {
    switch (node.kind) {
      case 'truth':
        return new Int32Array(BLOCK_WORDS).fill(node.value ? -1 : 0);
      case 'compare':
        return this.#compare(COMPARE[node.operator], this.addNumber(node.left), this.addNumber(node.right));
      case 'is null': {
        const block = this.addNumber(node.operand);
        return this.#not(this.#compare(equalWord, block, block));
      }
      case 'flag':
        return this.#test(flagTest(this.#table.columns[node.column]));
      case 'missing text':
        return this.#test(missingTest(this.#table.columns[node.column]));
      case 'text':
        return this.#test(textTest(this.#table.columns[node.column], node.values, node.differs));
      case 'profile': {
        const bitmap = this.#table.profiles?.bitmap(node.fact, node.values);
        if (bitmap === undefined) throw new TypeError(`the rows of ${this.#table.dataset.name} have no profile`);
        const input = new BitmapInput(bitmap);
        this.#inputs.push(input);
        return input.words;
      }
      case 'not':
        return this.#not(this.addCondition(node.operand));
      case 'and':
      case 'or':
        return this.#join(
          node.kind,
          node.operands.map(each => this.addCondition(each)),
        );
    }
  }

  /** Computes the rows `first … first + rows - 1`, at most a block; `first` is a multiple of 32. */
  runOver(first: number, rows: number): void {
    for (const input of this.#inputs) input.readRun(first, rows);
    this.#run(rows);
  }

  /** Computes the rows `list[from … from + rows - 1]`, at most a block. */
  runOnList(list: Uint32Array, from: number, rows: number): void {
    for (const input of this.#inputs) input.readList(list, from, rows);
    this.#run(rows);
  }

  #run(rows: number): void {
    const words = (rows + 31) >>> 5;
    for (const step of this.#steps) step(32 * words, words);
  }

  #numberBlock(node: NumberNode): Block {
    switch (node.kind) {
      case 'constant':
        return { values: new Float64Array(BLOCK_ROWS).fill(node.value) };
      case 'column':
        return this.#column(node.column);
      case 'values':
        return this.#read(valuesInput(node.values));
      case 'lag':
        throw new TypeError(`the plan has no values of column ${node.column} ${node.periods} periods earlier`);
      case 'operation': {
        const { loop } = OPERATIONS[node.name];
        const [a, b] = node.operands.map(each => this.addNumber(each));
        const out = new Float64Array(BLOCK_ROWS);
        const [left, right] = [a!, b ?? a!];
        this.#steps.push(rows => loop(out, left.values, right.values, rows));
        return { values: out };
      }
    }
  }

  #column(column: number): Block {
    const known = this.#columns.get(column);
    if (known !== undefined) return known;
    const block = this.#read(numberInput(this.#table, column));
    this.#columns.set(column, block);
    return block;
  }

  #read(input: Input & { readonly block: Block }): Block {
    this.#inputs.push(input);
    return input.block;
  }

  #compare(compareWord: CompareWord, left: Block, right: Block): Int32Array {
    const out = new Int32Array(BLOCK_WORDS);
    this.#steps.push((_, words) => {
      const [a, b] = [left.values, right.values];
      for (let word = 0; word < words; word++) out[word] = compareWord(a, 32 * word, b, 32 * word);
    });
    return out;
  }

  #test(passes: (row: number) => boolean): Int32Array {
    const input = new TestInput(passes);
    this.#inputs.push(input);
    return input.words;
  }

  #not(operand: Int32Array): Int32Array {
    const out = new Int32Array(BLOCK_WORDS);
    this.#steps.push((_, words) => {
      for (let word = 0; word < words; word++) out[word] = ~operand[word]!;
    });
    return out;
  }

  #join(kind: 'and' | 'or', operands: readonly Int32Array[]): Int32Array {
    const out = new Int32Array(BLOCK_WORDS);
    this.#steps.push((_, words) => {
      out.set(operands[0]!);
      for (let i = 1; i < operands.length; i++) {
        const operand = operands[i]!;
        if (kind === 'and') for (let word = 0; word < words; word++) out[word]! &= operand[word]!;
        else for (let word = 0; word < words; word++) out[word]! |= operand[word]!;
      }
    });
    return out;
  }
}

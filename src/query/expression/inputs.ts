// What an expression reads from a table, a block of rows at a time: rows that follow each other, or rows from a list.

import { bufferOf } from '../../snapshot/columns/texts.ts';
import type { ColumnData, Table } from '../../snapshot/table.ts';
import { foldText, type RowValues } from './nodes.ts';
import type { Block } from './operations.ts';

/** Rows of a block: a multiple of 32, few enough that the blocks of an expression stay in the processor's cache. */
export const BLOCK_ROWS = 1024;

export interface Input {
  /** Reads `first … first + rows - 1`; `first` is a multiple of 32. */
  readRun(first: number, rows: number): void;
  /** Reads `list[from … from + rows - 1]`. */
  readList(list: Uint32Array, from: number, rows: number): void;
}

export class NumberInput implements Input {
  readonly block: Block;
  readonly #values: Float64Array;
  readonly #gathered = new Float64Array(BLOCK_ROWS);

  constructor(values: Float64Array) {
    this.#values = values;
    this.block = { values: this.#gathered };
  }

  readRun(first: number, rows: number): void {
    const run = this.#values.subarray(first, first + BLOCK_ROWS);
    if (run.length === BLOCK_ROWS) this.block.values = run;
    else {
      // Loops read whole words of rows, which the last block may not have.
      this.#gathered.set(run.subarray(0, rows));
      this.block.values = this.#gathered;
    }
  }

  readList(list: Uint32Array, from: number, rows: number): void {
    const [values, gathered] = [this.#values, this.#gathered];
    for (let i = 0; i < rows; i++) gathered[i] = values[list[from + i]!]!;
    this.block.values = gathered;
  }
}

/** Days since 1970-01-01 as numbers; -1 is null. */
export class DayInput implements Input {
  readonly block: Block = { values: new Float64Array(BLOCK_ROWS) };
  readonly #days: Int32Array;

  constructor(days: Int32Array) {
    this.#days = days;
  }

  readRun(first: number, rows: number): void {
    const [days, { values }] = [this.#days, this.block];
    for (let i = 0; i < rows; i++) values[i] = dayNumber(days[first + i]!);
  }

  readList(list: Uint32Array, from: number, rows: number): void {
    const [days, { values }] = [this.#days, this.block];
    for (let i = 0; i < rows; i++) values[i] = dayNumber(days[list[from + i]!]!);
  }
}

/** Values of few rows: a page is computed once more from them. */
class PlacedInput implements Input {
  readonly block: Block = { values: new Float64Array(BLOCK_ROWS) };
  readonly #valueOf: (row: number) => number;

  constructor(values: Float64Array, places: ReadonlyMap<number, number>) {
    this.#valueOf = row => values[places.get(row) ?? -1] ?? Number.NaN;
  }

  readRun(first: number, rows: number): void {
    for (let i = 0; i < rows; i++) this.block.values[i] = this.#valueOf(first + i);
  }

  readList(list: Uint32Array, from: number, rows: number): void {
    for (let i = 0; i < rows; i++) this.block.values[i] = this.#valueOf(list[from + i]!);
  }
}

export function valuesInput({ values, places }: RowValues): NumberInput | PlacedInput {
  return places === undefined ? new NumberInput(values) : new PlacedInput(values, places);
}

function dayNumber(day: number): number {
  return day < 0 ? Number.NaN : day;
}

/** A bit for each row that passes a test. */
export class TestInput implements Input {
  readonly words = new Int32Array(BLOCK_ROWS / 32);
  readonly #passes: (row: number) => boolean;

  constructor(passes: (row: number) => boolean) {
    this.#passes = passes;
  }

  readRun(first: number, rows: number): void {
    this.words.fill(0);
    for (let i = 0; i < rows; i++) this.words[i >>> 5]! |= +this.#passes(first + i) << (i & 31);
  }

  readList(list: Uint32Array, from: number, rows: number): void {
    this.words.fill(0);
    for (let i = 0; i < rows; i++) this.words[i >>> 5]! |= +this.#passes(list[from + i]!) << (i & 31);
  }
}

/** A bit for each row of the table, known beforehand: row r is bit `r % 32` of word `r / 32`. */
export class BitmapInput implements Input {
  readonly words = new Int32Array(BLOCK_ROWS / 32);
  readonly #bitmap: Int32Array;

  constructor(bitmap: Int32Array) {
    this.#bitmap = bitmap;
  }

  readRun(first: number, rows: number): void {
    const start = first >>> 5;
    this.words.set(this.#bitmap.subarray(start, start + ((rows + 31) >>> 5)));
  }

  readList(list: Uint32Array, from: number, rows: number): void {
    this.words.fill(0);
    for (let i = 0; i < rows; i++) {
      const row = list[from + i]!;
      this.words[i >>> 5]! |= ((this.#bitmap[row >>> 5]! >>> (row & 31)) & 1) << (i & 31);
    }
  }
}

export function numberInput(table: Pick<Table, 'columns'>, column: number): NumberInput | DayInput {
  const data = table.columns[column]!;
  if (data.kind === 'number') return new NumberInput(data.values);
  if (data.kind === 'day') return new DayInput(data.values);
  throw new TypeError(`column ${column} holds neither numbers nor days`);
}

export function flagTest(data: ColumnData | undefined): (row: number) => boolean {
  if (data?.kind !== 'flag') throw new TypeError('the column holds no flags');
  return row => data.values[row] === 1;
}

export function missingTest(data: ColumnData | undefined): (row: number) => boolean {
  if (data?.kind !== 'text') throw new TypeError('the column holds no texts');
  return row => data.missing[row] === 1;
}

/** Whether a row's text is one of these, which come folded; with `differs`, whether it is a text and none of them. */
export function textTest(
  data: ColumnData | undefined,
  wanted: readonly string[],
  differs: boolean,
): (row: number) => boolean {
  if (data?.kind !== 'text') throw new TypeError('the column holds no texts');
  const { bytes, offsets, missing } = data;
  const buffer = bufferOf(bytes);
  const known = new Set(wanted);
  const lengths = new Set(wanted.map(text => Buffer.byteLength(text)));
  const equals = (row: number) => {
    const [from, to] = [offsets[row]!, offsets[row + 1]!];
    // Folding changes the length of a text only if it has letters that are not ASCII.
    if (!lengths.has(to - from) && isAscii(bytes, from, to)) return false;
    return known.has(foldText(buffer.toString('utf8', from, to)));
  };
  return row => missing[row] === 0 && equals(row) !== differs;
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! > 127) return false;
  return true;
}

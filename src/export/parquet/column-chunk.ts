// One column of one row group while it is filled: its values, which of them are null, and its smallest and largest value.

import { startOfPeriod } from '../../domain/interval.ts';
import { bufferOf, compareTexts } from '../../snapshot/columns/texts.ts';
import type { ColumnData, DayData } from '../../snapshot/table.ts';
import type { ParquetColumn } from './schema.ts';

/** Texts that repeat, such as the id of an asset on each of its days. */
export interface RepeatedText {
  readonly kind: 'repeated';
  readonly text: string;
}

export type ColumnValues = ColumnData | RepeatedText;

/** Encodings of values. */
export const ENCODING = { plain: 0, rle: 3, dictionary: 8 } as const;

/** What a data page holds, before it is compressed. */
export interface ChunkContent {
  readonly dictionary: { readonly bytes: Buffer; readonly values: number } | null;
  readonly encoding: number;
  /** Levels, then values. Valid until rows are added to the chunk again. */
  readonly page: Buffer;
  readonly rows: number;
  readonly nulls: number;
  /** As Parquet stores a plain value, without the length of a text; null if there are only nulls. */
  readonly min: Buffer | null;
  readonly max: Buffer | null;
}

/** Bytes before the values: the length of the levels, and the header of their run. */
const LEVELS_START = 4 + 5;

export class ColumnChunk {
  readonly column: ParquetColumn;
  readonly #maxRows: number;
  /** One bit per row: 1 if it has a value. */
  readonly #valid: Uint8Array;
  /** Bytes that are free before the values, for the levels: a page is then made without a copy. A multiple of 8. */
  readonly #lead: number;
  /** The lead, then the values. */
  #memory: Buffer;
  #values: Buffer;
  /** The same memory, unless a text has grown it. */
  readonly #numbers: Float64Array;
  readonly #halves: Uint32Array;
  #rows = 0;
  #nulls = 0;
  /** Bytes of values. */
  #size = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #minText: Buffer | null = null;
  #maxText: Buffer | null = null;
  /** Of repeated texts: the number of each, and its runs as pairs of number and rows. */
  readonly #dictionary = new Map<string, number>();
  #runs: number[] = [];

  constructor(column: ParquetColumn, maxRows: number) {
    this.column = column;
    this.#maxRows = maxRows;
    this.#valid = new Uint8Array(Math.ceil(maxRows / 8));
    this.#lead = 8 * Math.ceil((LEVELS_START + this.#valid.length) / 8);
    // Texts may grow it.
    this.#memory = Buffer.allocUnsafeSlow(this.#lead + 8 * maxRows);
    this.#values = this.#memory.subarray(this.#lead);
    this.#numbers = new Float64Array(this.#memory.buffer, this.#lead);
    this.#halves = new Uint32Array(this.#memory.buffer, this.#lead);
  }

  /** Adds rows `from … to - 1` of a column. */
  add(data: ColumnValues, from: number, to: number): void {
    if (this.#rows + to - from > this.#maxRows) throw new RangeError('a row group has more rows than it may have');
    if (data.kind === 'repeated') this.#addRepeated(data.text, to - from);
    else if (data.kind === 'text') this.#addTexts(data, from, to);
    else if (data.kind === 'flag') this.#addFlags(data.values, from, to);
    else if (data.kind === 'day') this.#addPeriods(data, from, to);
    else if (this.column.kind === 'int') this.#addIntegers(data.values, from, to);
    else this.#addDoubles(data.values, from, to);
  }

  #addDoubles(values: Float64Array, from: number, to: number): void {
    const out = this.#numbers;
    const start = this.#size / 8;
    let [at, min, max] = [start, this.#min, this.#max];
    for (let i = from; i < to; ) {
      const [first, firstAt] = [i, at];
      for (; i < to; i++) {
        const value = values[i]!;
        // Only of a finite number.
        if (value - value !== 0) break;
        out[at++] = value;
        if (value < min) min = value;
        if (value > max) max = value;
      }
      this.#markValid(this.#rows + first - from, at - firstAt);
      while (i < to && values[i]! - values[i]! !== 0) i++;
    }
    this.#nulls += to - from - (at - start);
    [this.#size, this.#min, this.#max] = [8 * at, min, max];
    this.#rows += to - from;
  }

  /** Several rows at once: most columns have few nulls. */
  #markValid(row: number, count: number): void {
    const [valid, end] = [this.#valid, row + count];
    let at = row;
    for (; at < end && (at & 7) !== 0; at++) valid[at >> 3]! |= 1 << (at & 7);
    if (at < end) valid.fill(255, at >> 3, end >> 3);
    for (at = Math.max(at, end & ~7); at < end; at++) valid[at >> 3]! |= 1 << (at & 7);
  }

  #addIntegers(values: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      if (this.#present(Number.isFinite(values[i]!))) this.#addLong(values[i]!);
    }
  }

  #addPeriods({ values, interval }: DayData, from: number, to: number): void {
    const out = this.#halves;
    let [at, min, max] = [this.#size / 4, this.#min, this.#max];
    for (let i = from; i < to; i++) {
      if (!this.#present(values[i]! >= 0)) continue;
      const value = startOfPeriod(interval, values[i]!);
      const high = Math.floor(value / 2 ** 32);
      out[at++] = value - high * 2 ** 32;
      out[at++] = high;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    [this.#size, this.#min, this.#max] = [4 * at, min, max];
  }

  #addLong(value: number): void {
    const high = Math.floor(value / 2 ** 32);
    const at = this.#size / 4;
    this.#halves[at] = value - high * 2 ** 32;
    this.#halves[at + 1] = high;
    this.#size += 8;
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
  }

  #addFlags(values: Uint8Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      this.#present(true);
      this.#values[this.#size++] = values[i]!;
      this.#min = Math.min(this.#min, values[i]!);
      this.#max = Math.max(this.#max, values[i]!);
    }
  }

  #addTexts(data: Extract<ColumnData, { kind: 'text' }>, from: number, to: number): void {
    const { bytes, offsets, missing } = data;
    let [min, max] = [-1, -1];
    for (let i = from; i < to; i++) {
      if (!this.#present(missing[i] === 0)) continue;
      const [start, end] = [offsets[i]!, offsets[i + 1]!];
      this.#reserve(4 + end - start);
      this.#values.writeUInt32LE(end - start, this.#size);
      this.#size += 4;
      for (let byte = start; byte < end; byte++) this.#values[this.#size++] = bytes[byte]!;
      if (min < 0 || compareTexts(data, i, data, min) < 0) min = i;
      if (max < 0 || compareTexts(data, i, data, max) > 0) max = i;
    }
    for (const row of [min, max])
      if (row >= 0) this.#extendText(bufferOf(bytes).subarray(offsets[row]!, offsets[row + 1]!));
  }

  #addRepeated(text: string, rows: number): void {
    const known = this.#dictionary.get(text) ?? this.#dictionary.size;
    if (known === this.#dictionary.size) {
      this.#dictionary.set(text, known);
      this.#extendText(Buffer.from(text));
    }
    this.#runs.push(known, rows);
    this.#markValid(this.#rows, rows);
    this.#rows += rows;
  }

  #extendText(text: Buffer): void {
    // Copied, because the buffer is used again.
    if (this.#minText === null || text.compare(this.#minText) < 0) this.#minText = Buffer.from(text);
    if (this.#maxText === null || text.compare(this.#maxText) > 0) this.#maxText = Buffer.from(text);
  }

  #present(isPresent: boolean): boolean {
    const row = this.#rows++;
    if (isPresent) this.#valid[row >> 3]! |= 1 << (row & 7);
    else if (this.column.nullable) this.#nulls++;
    else throw new RangeError(`${this.column.name} has no value in a row, and must have one`);
    return isPresent;
  }

  /** The content so far; the chunk is then empty. */
  take(): ChunkContent {
    const [rows, nulls] = [this.#rows, this.#nulls];
    const levels = this.column.nullable ? this.#levels() : Buffer.alloc(0);
    const isRepeated = this.#runs.length > 0;
    const content = {
      dictionary: isRepeated ? this.#dictionaryPage() : null,
      encoding: isRepeated ? ENCODING.dictionary : ENCODING.plain,
      page: this.#page(levels),
      rows,
      nulls,
      ...this.#statistics(),
    };
    this.#clear();
    return content;
  }

  #page(levels: Buffer): Buffer {
    if (this.#runs.length > 0) return Buffer.concat([levels, this.#indexes()]);
    if (this.column.kind === 'flag') return Buffer.concat([levels, this.#packedFlags()]);
    const start = this.#lead - levels.length;
    levels.copy(this.#memory, start);
    return this.#memory.subarray(start, this.#lead + this.#size);
  }

  #clear(): void {
    this.#valid.fill(0);
    this.#dictionary.clear();
    this.#runs = [];
    [this.#rows, this.#nulls, this.#size] = [0, 0, 0];
    [this.#min, this.#max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    [this.#minText, this.#maxText] = [null, null];
  }

  /** Definition levels, 1 for a value: one run if all are equal, otherwise one bit each. */
  #levels(): Buffer {
    const start = Buffer.alloc(LEVELS_START);
    const isRun = this.#nulls === 0 || this.#nulls === this.#rows;
    const groups = Math.ceil(this.#rows / 8);
    const headerEnd = writeVarint(start, 4, isRun ? 2 * this.#rows : 2 * groups + 1);
    const body = isRun ? Buffer.of(this.#nulls === 0 ? 1 : 0) : this.#valid.subarray(0, groups);
    start.writeUInt32LE(headerEnd - 4 + body.length);
    return Buffer.concat([start.subarray(0, headerEnd), body]);
  }

  #packedFlags(): Buffer {
    const bits = Buffer.alloc(Math.ceil(this.#size / 8));
    for (let i = 0; i < this.#size; i++) if (this.#values[i] === 1) bits[i >> 3]! |= 1 << (i & 7);
    return bits;
  }

  #dictionaryPage(): { bytes: Buffer; values: number } {
    const parts = [...this.#dictionary.keys()].flatMap(text => {
      const bytes = Buffer.from(text);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    });
    return { bytes: Buffer.concat(parts), values: this.#dictionary.size };
  }

  /** Numbers of the dictionary, in runs. */
  #indexes(): Buffer {
    const bits = Math.max(1, 32 - Math.clz32(this.#dictionary.size - 1));
    const width = Math.ceil(bits / 8);
    const out = Buffer.alloc(1 + (this.#runs.length / 2) * (5 + width));
    out[0] = bits;
    let at = 1;
    for (let i = 0; i < this.#runs.length; i += 2) {
      at = writeVarint(out, at, 2 * this.#runs[i + 1]!);
      at = out.writeUIntLE(this.#runs[i]!, at, width);
    }
    return out.subarray(0, at);
  }

  #statistics(): Pick<ChunkContent, 'min' | 'max'> {
    const { kind } = this.column;
    if (kind === 'text') return { min: this.#minText, max: this.#maxText };
    if (this.#nulls === this.#rows) return { min: null, max: null };
    // A reader must find both zeros, whichever of them the column has.
    if (kind === 'double')
      return { min: double(this.#min === 0 ? -0 : this.#min), max: double(this.#max === 0 ? 0 : this.#max) };
    if (kind === 'flag') return { min: Buffer.of(this.#min), max: Buffer.of(this.#max) };
    return { min: long(this.#min), max: long(this.#max) };
  }

  #reserve(size: number): void {
    if (this.#size + size <= this.#values.length) return;
    const larger = Buffer.allocUnsafeSlow(this.#lead + 2 * (this.#values.length + size));
    this.#values.copy(larger, this.#lead, 0, this.#size);
    this.#memory = larger;
    this.#values = larger.subarray(this.#lead);
  }
}

/** Returns the index behind it. */
function writeVarint(bytes: Buffer, start: number, value: number): number {
  let [at, rest] = [start, value];
  for (; rest >= 128; rest >>>= 7) bytes[at++] = 128 | (rest & 127);
  bytes[at++] = rest;
  return at;
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}

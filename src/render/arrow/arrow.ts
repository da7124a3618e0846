// Rows as an Arrow IPC stream: record batches, whose buffers are filled from the columns of the table.

import { startOfPeriod } from '../../domain/interval.ts';
import type { ColumnData, DayData, TextData } from '../../snapshot/table.ts';
import { ChunkMemory } from '../chunk-memory.ts';
import type { RowSelection } from '../page.ts';
import { batchMessage, END_OF_STREAM, fieldKind, schemaMessage } from './messages.ts';

/** Large enough that the description of a batch is a hundredth of it, and small enough to be made in less than a millisecond. */
const BATCH_BYTES = 256 * 2 ** 10;
const MOST_SPARE = 16;
/** Room for the description of a batch and for padding. */
const EXTRA_BYTES = 16 * 2 ** 10;
export const arrowMemory = new ChunkMemory(BATCH_BYTES + EXTRA_BYTES, MOST_SPARE);

/** The schema, the record batches, the end. Each chunk is rendered when it is requested. */
export function arrowChunks(page: RowSelection, described: boolean): Generator<Buffer, void, undefined> {
  return arrowParts([page], described);
}

/** The same for rows that come in parts with the same columns. */
export function* arrowParts(parts: Iterable<RowSelection>, described: boolean): Generator<Buffer, void, undefined> {
  let isFirst = true;
  for (const part of parts) {
    const fields = fieldsOf(part);
    if (isFirst) yield schemaMessage(fields, described, part.unit ?? null);
    isFirst = false;
    yield* batches(fields, part.rows);
  }
  yield END_OF_STREAM;
}

export function fieldsOf({ table, columns }: RowSelection) {
  return columns.map(index => {
    const [column, data] = [table.dataset.columns[index]!, table.columns[index]!];
    return { column, data, kind: fieldKind(column, data) };
  });
}

function* batches(fields: ReturnType<typeof fieldsOf>, rows: Uint32Array): Generator<Buffer, void, undefined> {
  // Every batch has as many columns, so that its description is as long.
  const descriptionBytes = describe(fields, 0, new Batch(Buffer.alloc(0), 0)).length;
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const { end, bytes } = batchEnd(fields, rows, from);
    to = end;
    const needed = descriptionBytes + bytes;
    const buffer = needed <= arrowMemory.bytes ? arrowMemory.take() : Buffer.allocUnsafeSlow(needed);
    const batch = new Batch(buffer, descriptionBytes);
    const picked = rows.subarray(from, to);
    for (const { data, kind } of fields) {
      if (data.kind === 'text') batch.addTexts(data, picked);
      else if (data.kind === 'flag') batch.addFlags(data.values, picked);
      else if (data.kind === 'day') batch.addPeriods(data, picked);
      else if (kind === 'int') batch.addIntegers(data.values, picked);
      else batch.addDoubles(data.values, picked);
    }
    describe(fields, to - from, batch).copy(buffer);
    yield buffer.subarray(0, batch.length);
  }
}

interface WrittenField {
  readonly data: ColumnData;
}

function describe(fields: readonly WrittenField[], rows: number, { buffers, nulls, start, length }: Batch): Buffer {
  // Of an empty batch only the size is of interest.
  const places = buffers.length > 0 ? buffers : fields.flatMap(({ data }) => new Array(buffersOf(data)).fill(0));
  const nodes = fields.flatMap((_, i) => [rows, nulls[i] ?? 0]);
  return batchMessage(rows, nodes, places, length - start);
}

/** Numbers that describe the buffers of a column: two per buffer. */
function buffersOf({ kind }: ColumnData): number {
  return kind === 'text' ? 6 : 4;
}

/** The rows of the batch that begins at `from`, and no fewer bytes than they take. */
function batchEnd(fields: readonly WrittenField[], rows: Uint32Array, from: number): { end: number; bytes: number } {
  const texts = fields.map(({ data }) => data).filter(data => data.kind === 'text');
  // Nulls take a bit, a flag another one, any other value at most eight bytes.
  const perRow = fields.length * (8 + 1 / 8);
  const padding = 24 * fields.length;
  let bytes = padding;
  let end = from;
  do {
    bytes += perRow;
    for (const { offsets } of texts) bytes += offsets[rows[end]! + 1]! - offsets[rows[end]!]!;
    end++;
  } while (end < rows.length && bytes + perRow < BATCH_BYTES);
  return { end, bytes: Math.ceil(bytes) };
}

/** The body of a record batch while it is written. Every buffer begins at a multiple of eight bytes. */
class Batch {
  /** Place, relative to the start of the body, and size of each buffer. */
  readonly buffers: number[] = [];
  /** Of each column. */
  readonly nulls: number[] = [];
  readonly start: number;
  length: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.start = start;
    this.length = start;
  }

  addDoubles(values: Float64Array, rows: Uint32Array): void {
    const valid = this.#validity(rows.length, i => Number.isFinite(values[rows[i]!]!));
    const out = new Float64Array(this.#bytes.buffer, this.#add(8 * rows.length), rows.length);
    for (let i = 0; i < rows.length; i++) out[i] = values[rows[i]!]!;
    if (!valid) for (let i = 0; i < rows.length; i++) if (!Number.isFinite(out[i]!)) out[i] = 0;
  }

  addIntegers(values: Float64Array, rows: Uint32Array): void {
    this.#validity(rows.length, i => Number.isFinite(values[rows[i]!]!));
    this.#longs(rows.length, i => values[rows[i]!]!);
  }

  addPeriods({ values, interval }: DayData, rows: Uint32Array): void {
    this.#validity(rows.length, i => values[rows[i]!]! >= 0);
    this.#longs(rows.length, i => startOfPeriod(interval, values[rows[i]!]!));
  }

  addFlags(values: Uint8Array, rows: Uint32Array): void {
    this.#validity(rows.length, () => true);
    this.#bits(this.#add(Math.ceil(rows.length / 8)), rows.length, i => values[rows[i]!] === 1);
  }

  addTexts({ bytes, offsets, missing }: TextData, rows: Uint32Array): void {
    this.#validity(rows.length, i => missing[rows[i]!] === 0);
    const ends = new Int32Array(this.#bytes.buffer, this.#add(4 * (rows.length + 1)), rows.length + 1);
    ends[0] = 0;
    for (let i = 0; i < rows.length; i++) ends[i + 1] = ends[i]! + offsets[rows[i]! + 1]! - offsets[rows[i]!]!;
    let to = this.#add(ends[rows.length]!) - this.#bytes.byteOffset;
    for (let i = 0; i < rows.length; i++) {
      const end = offsets[rows[i]! + 1]!;
      for (let at = offsets[rows[i]!]!; at < end; at++) this.#bytes[to++] = bytes[at]!;
    }
  }

  /** Whether no row is null; then the bitmap is left out. */
  #validity(rows: number, isValid: (i: number) => boolean): boolean {
    let nulls = 0;
    for (let i = 0; i < rows; i++) if (!isValid(i)) nulls++;
    this.nulls.push(nulls);
    const at = this.#add(nulls === 0 ? 0 : Math.ceil(rows / 8));
    if (nulls > 0) this.#bits(at, rows, isValid);
    return nulls === 0;
  }

  #bits(at: number, rows: number, isSet: (i: number) => boolean): void {
    const bits = new Uint8Array(this.#bytes.buffer, at, Math.ceil(rows / 8)).fill(0);
    for (let i = 0; i < rows; i++) if (isSet(i)) bits[i >> 3]! |= 1 << (i & 7);
  }

  /** 64-bit integers; 0 for NaN. */
  #longs(rows: number, value: (i: number) => number): void {
    const halves = new Uint32Array(this.#bytes.buffer, this.#add(8 * rows), 2 * rows);
    for (let i = 0; i < rows; i++) {
      const number = value(i);
      const high = Math.floor(number / 2 ** 32);
      halves[2 * i] = number - high * 2 ** 32;
      halves[2 * i + 1] = high;
    }
  }

  /** Returns the place of a buffer in the memory of the chunk. */
  #add(size: number): number {
    const at = this.length;
    this.buffers.push(at - this.start, size);
    this.length += 8 * Math.ceil(size / 8);
    this.#bytes.fill(0, at + size, this.length);
    return this.#bytes.byteOffset + at;
  }
}

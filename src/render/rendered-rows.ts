// Rows that were rendered once, kept as bytes with the ends of their cells, so that a page is made by copying. Writing numbers
// is the dearest step of an answer: 32 of them cost some ten times as much as copying the row.
//
// Records lie one after the other in segments that are filled in turn; when all are full the oldest is written over. Its rows
// are then forgotten by their position alone: positions only grow.

import type { Rows } from '../snapshot/table.ts';
import { type RowFormat, RowWriter } from './row-format.ts';
import { newSegment, type Segment } from './row-record.ts';

/** Bytes of one table's rows in one format and thread. */
export const RENDERED_BYTES = 16 * 2 ** 20;
const SEGMENT_BYTES = 256 * 2 ** 10;

/**
 * Segments of tables that are gone, for those that come: every snapshot brings new ones, and until a collection the memory of both
 * would be taken.
 */
const spare: Segment[] = [];
const MOST_SPARE = 32;

export class RenderedRows {
  readonly #writer: RowWriter;
  readonly #segments: Segment[] = [];
  readonly #maxSegments: number;
  readonly #cells: number;
  /** For each row its position among all bytes ever written, plus one; 0 for a row that was never rendered. */
  readonly #positions: Float64Array;
  #next = 0;

  /** The record found last: `bytes[start …]`, and `words[ends …]` the end of each cell relative to `start`. */
  segment: Segment = newSegment(0);
  ends = 0;
  start = 0;
  length = 0;

  constructor(table: Rows, format: RowFormat, maxBytes: number) {
    this.#writer = new RowWriter(table, format);
    this.#maxSegments = Math.max(1, Math.floor(maxBytes / SEGMENT_BYTES));
    this.#cells = table.columns.length;
    this.#positions = new Float64Array(table.rows);
  }

  /** Makes the record of a row the one found last; it stays valid until the next call. It is kept unless told otherwise. */
  find(row: number, keep: boolean = true): void {
    const position = this.#positions[row]! - 1;
    if (position >= 0 && position >= this.#oldest()) {
      this.#point(this.#segments[Math.floor(position / SEGMENT_BYTES) % this.#maxSegments]!, position % SEGMENT_BYTES);
    } else {
      const { segment, size } = this.#writer.write(row);
      // A row longer than a segment is never kept.
      if (keep && size <= SEGMENT_BYTES) this.#keep(row, segment.bytes.subarray(0, size));
      else this.#point(segment, 0);
    }
  }

  /** Gives all memory back. Rows that are found afterwards are rendered again. */
  forget(): void {
    spare.push(...this.#segments.splice(0).slice(0, MOST_SPARE - spare.length));
    this.#positions.fill(0);
    this.#next = 0;
  }

  /** To be told before many rows are to be found that are not kept. */
  fetch(rows: Uint32Array): void {
    this.#writer.fetch(rows);
  }

  #oldest(): number {
    return (Math.ceil(this.#next / SEGMENT_BYTES) - this.#maxSegments) * SEGMENT_BYTES;
  }

  #keep(row: number, record: Buffer): void {
    const at = this.#reserve(record.length);
    const segment = this.#segmentAt(at);
    segment.bytes.set(record, at % SEGMENT_BYTES);
    this.#positions[row] = at + 1;
    this.#point(segment, at % SEGMENT_BYTES);
  }

  /** A position, a multiple of four, from which on as many bytes fit into one segment. */
  #reserve(size: number): number {
    const left = SEGMENT_BYTES - (this.#next % SEGMENT_BYTES);
    const at = size <= left ? this.#next : this.#next + left;
    this.#next = at + 4 * Math.ceil(size / 4);
    return at;
  }

  #segmentAt(position: number): Segment {
    const place = Math.floor(position / SEGMENT_BYTES) % this.#maxSegments;
    this.#segments[place] ??= spare.pop() ?? newSegment(SEGMENT_BYTES);
    return this.#segments[place];
  }

  #point(segment: Segment, offset: number): void {
    const cells = this.#cells;
    this.segment = segment;
    this.ends = offset / 4;
    this.start = offset + 4 * cells;
    this.length = cells === 0 ? 0 : segment.words[this.ends + cells - 1]!;
  }
}

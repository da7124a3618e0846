// A cache of rendered rows: their bytes with the ends of their cells, so that a page is made by copying. Writing numbers is the most
// expensive step of a response: 32 of them cost about ten times as much as copying the row.
//
// It is a ring buffer and not a `ByteCache`: rows are found by their number, without a Map entry of a hundred bytes per row. Records
// fill segments one after the other; when all are full, the oldest segment is overwritten. Positions only grow, so the position of
// a row tells whether it was overwritten.

import type { Rows } from '../snapshot/table.ts';
import { type RowFormat, RowWriter } from './row-format.ts';
import { newSegment, type Segment } from './row-record.ts';

/** Bytes of one table's rows in one format and thread. */
export const RENDERED_BYTES = 16 * 2 ** 20;
const SEGMENT_BYTES = 256 * 2 ** 10;

/**
 * Segments of replaced tables, for reuse by new ones. Every snapshot brings new tables; without reuse, both would take memory until
 * the next garbage collection.
 */
const spare: Segment[] = [];
const MOST_SPARE = 32;

export class RenderedRows {
  readonly #writer: RowWriter;
  readonly #segments: Segment[] = [];
  readonly #maxSegments: number;
  readonly #cells: number;
  /** By row: its position among all bytes ever written, plus one; 0 if it was never rendered. */
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

  /** Makes a row the record found last, which stays valid until the next call. With `keep`, the row is cached. */
  find(row: number, keep: boolean = true): void {
    const position = this.#positions[row]! - 1;
    if (position >= 0 && position >= this.#oldest()) {
      this.#point(this.#segments[Math.floor(position / SEGMENT_BYTES) % this.#maxSegments]!, position % SEGMENT_BYTES);
    } else {
      const { segment, size } = this.#writer.write(row);
      // A row longer than a segment is never cached.
      if (keep && size <= SEGMENT_BYTES) this.#keep(row, segment.bytes.subarray(0, size));
      else this.#point(segment, 0);
    }
  }

  /** Frees all memory. Rows found afterwards are rendered again. */
  forget(): void {
    spare.push(...this.#segments.splice(0).slice(0, MOST_SPARE - spare.length));
    this.#positions.fill(0);
    this.#next = 0;
  }

  /** Prefetches the numbers of rows that `find` will render without caching them. */
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

  /** A position, a multiple of four, at which so many bytes fit into one segment. */
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

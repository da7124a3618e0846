// A row while it is rendered: the ends of its cells as 32-bit integers, then the bytes of the cells.

import { LONGEST_NUMBER, writeAscii, writeNumber } from './number-text.ts';

/** A block of memory that holds records. */
export interface Segment {
  readonly bytes: Buffer;
  /** The same memory. */
  readonly words: Uint32Array;
}

export function newSegment(size: number): Segment {
  const memory = new ArrayBuffer(4 * Math.ceil(size / 4));
  return { bytes: Buffer.from(memory), words: new Uint32Array(memory) };
}

export class RowRecord {
  /** Holds this record alone; replaced by a larger one when it is full. */
  segment: Segment = newSegment(4096);
  /** In bytes, the ends of the cells included. */
  size = 0;
  readonly #start: number;

  constructor(cells: number) {
    this.#start = 4 * cells;
    this.#reserve(this.#start);
  }

  clear(): void {
    this.size = this.#start;
  }

  /** After a label. */
  addNumber(label: string, value: number): void {
    this.#reserve(label.length + LONGEST_NUMBER);
    const { bytes } = this.segment;
    this.size = writeNumber(value, bytes, writeAscii(label, bytes, this.size));
  }

  /** One byte per character. */
  addText(text: string): void {
    this.#reserve(text.length);
    this.size = writeAscii(text, this.segment.bytes, this.size);
  }

  /** Ends count from the first byte of the first cell. */
  endCell(cell: number): void {
    this.segment.words[cell] = this.size - this.#start;
  }

  #reserve(size: number): void {
    if (this.size + size <= this.segment.bytes.length) return;
    const larger = newSegment(2 * (this.size + size));
    larger.bytes.set(this.segment.bytes);
    this.segment = larger;
  }
}

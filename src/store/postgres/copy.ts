// Rows in PostgreSQL's binary COPY format: in and out several times as fast as INSERT and SELECT, which write numbers as text.

/** Bytes are sent in pieces of about this many, so that the server works while the next piece is made. */
const PIECE = 256 * 1024;
/** More than the largest column takes. */
const ROOM = 4096;

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const FLOAT8 = 701;
const INT4 = 23;
/** Bytes of a number in an array: its length and itself. */
const CELL = 12;
/** Bytes before the numbers of an array of one dimension. */
const ARRAY_HEAD = 20;

/** Rows to be sent: `row` first, then each of its columns in turn. */
export class CopyWriter {
  #buffer = Buffer.allocUnsafe(PIECE + ROOM);
  #at = SIGNATURE.copy(this.#buffer);
  readonly #pieces: Buffer[] = [];

  row(columns: number): void {
    this.#makeRoom();
    this.#at = this.#buffer.writeInt16BE(columns, this.#at);
  }

  integer(value: number): void {
    this.#at = this.#buffer.writeInt32BE(4, this.#at);
    this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  long(value: number): void {
    this.#at = this.#buffer.writeInt32BE(8, this.#at);
    this.#at = this.#buffer.writeBigInt64BE(BigInt(value), this.#at);
  }

  /** NaN is NULL. */
  double(value: number): void {
    this.#at = this.#buffer.writeInt32BE(Number.isNaN(value) ? -1 : 8, this.#at);
    if (!Number.isNaN(value)) this.#at = this.#buffer.writeDoubleBE(value, this.#at);
  }

  /** All of a row's numbers, each a column. */
  doubles(values: Float64Array): void {
    for (let i = 0; i < values.length; i++) {
      this.#makeRoom();
      this.double(values[i]!);
    }
  }

  /** An array of at most some hundred numbers; NaN is NULL, and so is null. */
  array(values: Float64Array | null): void {
    this.#makeRoom();
    if (values === null) {
      this.#at = this.#buffer.writeInt32BE(-1, this.#at);
      return;
    }
    const start = this.#at;
    let hasNull = 0;
    this.#at += 4 + ARRAY_HEAD;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (Number.isNaN(value)) hasNull = 1;
      this.double(value);
    }
    const buffer = this.#buffer;
    buffer.writeInt32BE(this.#at - start - 4, start);
    buffer.writeInt32BE(1, start + 4);
    buffer.writeInt32BE(hasNull, start + 8);
    buffer.writeInt32BE(FLOAT8, start + 12);
    buffer.writeInt32BE(values.length, start + 16);
    buffer.writeInt32BE(1, start + 20);
  }

  /** An array of at most some hundred whole numbers, or NULL. */
  integers(values: Int32Array | null): void {
    this.#makeRoom();
    if (values === null) {
      this.#at = this.#buffer.writeInt32BE(-1, this.#at);
      return;
    }
    for (const word of [ARRAY_HEAD + 8 * values.length, 1, 0, INT4, values.length, 1]) {
      this.#at = this.#buffer.writeInt32BE(word, this.#at);
    }
    for (const value of values) this.integer(value);
  }

  /** What is to be sent. */
  end(): readonly Buffer[] {
    this.#at = this.#buffer.writeInt16BE(-1, this.#at);
    this.#cut();
    return this.#pieces;
  }

  #makeRoom(): void {
    if (this.#at > PIECE) this.#cut();
  }

  #cut(): void {
    this.#pieces.push(this.#buffer.subarray(0, this.#at));
    this.#buffer = Buffer.allocUnsafe(PIECE + ROOM);
    this.#at = 0;
  }
}

/** Rows as they arrive: each of a row's columns is to be read in turn. */
export class CopyReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #begun = false;

  /**
   * Takes the next bytes and calls `take` for each row that is complete. A row needs `next` true first; a row that goes on in the
   * next bytes is kept until they come.
   */
  push(piece: Buffer, take: (row: CopyReader) => void): void {
    this.#bytes = this.#at < this.#bytes.length ? Buffer.concat([this.#bytes.subarray(this.#at), piece]) : piece;
    this.#at = 0;
    if (!this.#begun) {
      if (this.#bytes.length < SIGNATURE.length) return;
      this.#begun = true;
      this.#at = SIGNATURE.length;
    }
    for (let end = this.#endOfRow(); end > 0; end = this.#endOfRow()) {
      this.#at += 2;
      take(this);
      this.#at = end;
    }
  }

  /** NULL is NaN. */
  integer(): number {
    const at = this.#column();
    return at < 0 ? Number.NaN : this.#bytes.readInt32BE(at);
  }

  double(): number {
    const at = this.#column();
    return at < 0 ? Number.NaN : this.#bytes.readDoubleBE(at);
  }

  /** Columns that are numbers each. */
  doubles(target: Float64Array): void {
    for (let i = 0; i < target.length; i++) target[i] = this.double();
  }

  /** An array of numbers, NULL as NaN; null where the column is NULL. */
  array(): Float64Array | null {
    const at = this.#column();
    if (at < 0) return null;
    const values = new Float64Array(this.#lengthOf(at));
    this.#numbers(at, values, 0);
    return values;
  }

  /** An array of whole numbers without NULL; null where the column is NULL. */
  integers(): Int32Array | null {
    const at = this.#column();
    if (at < 0) return null;
    return Int32Array.from({ length: this.#lengthOf(at) }, (_, i) =>
      this.#bytes.readInt32BE(at + ARRAY_HEAD + 8 * i + 4),
    );
  }

  /** Numbers of an array that is not NULL, into memory that is there. */
  arrayInto(target: Float64Array, offset: number): void {
    this.#numbers(this.#column(), target, offset);
  }

  #lengthOf(at: number): number {
    return this.#bytes.readInt32BE(at) === 0 ? 0 : this.#bytes.readInt32BE(at + 12);
  }

  #numbers(at: number, target: Float64Array, offset: number): void {
    const count = this.#lengthOf(at);
    const hasNull = this.#bytes.readInt32BE(at + 4) !== 0;
    const bytes = this.#bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at + ARRAY_HEAD);
    for (let i = 0, from = 0; i < count; i++) {
      if (hasNull && view.getInt32(from) < 0) {
        target[offset + i] = Number.NaN;
        from += 4;
      } else {
        target[offset + i] = view.getFloat64(from + 4);
        from += CELL;
      }
    }
  }

  /** Where the next column's bytes begin; -1 for NULL. */
  #column(): number {
    const length = this.#bytes.readInt32BE(this.#at);
    const at = this.#at + 4;
    this.#at = at + Math.max(0, length);
    return length < 0 ? -1 : at;
  }

  /** Where the row that begins here ends; 0 when not all of it is there, or there are no more. */
  #endOfRow(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    if (at + 2 > bytes.length) return 0;
    const columns = bytes.readInt16BE(at);
    at += 2;
    if (columns < 0) {
      this.#at = bytes.length;
      return 0;
    }
    for (let column = 0; column < columns; column++) {
      if (at + 4 > bytes.length) return 0;
      at += 4 + Math.max(0, bytes.readInt32BE(at));
    }
    return at > bytes.length ? 0 : at;
  }
}

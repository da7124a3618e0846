// Rows in PostgreSQL's binary COPY format: in and out several times as fast as INSERT and SELECT, which write numbers as text.

/** Bytes are sent in pieces of about this many. */
const PIECE = 256 * 1024;
/** More than the largest column takes. */
const ROOM = 4096;

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const FLOAT8 = 701;
const INT4 = 23;
/** Bytes of a number in an array: its length and itself. */
const CELL = 12;
/** Bytes before the numbers of an array: the dimensions, whether there is a NULL, the type; then for each dimension its length and first index. */
const headOf = (dimensions: number) => 12 + 8 * dimensions;

/** Rows to be sent: `row` first, then each of its columns in turn. */
export class CopyWriter {
  #buffer = Buffer.allocUnsafe(PIECE + ROOM);
  #view = viewOf(this.#buffer);
  #at = SIGNATURE.copy(this.#buffer);
  readonly #pieces: Buffer[] = [];

  row(columns: number): void {
    this.#makeRoom();
    this.#view.setInt16(this.#at, columns);
    this.#at += 2;
  }

  integer(value: number): void {
    this.#word(4);
    this.#word(value);
  }

  long(value: number): void {
    this.#word(8);
    this.#view.setBigInt64(this.#at, BigInt(value));
    this.#at += 8;
  }

  /** NaN is NULL. */
  double(value: number): void {
    if (Number.isNaN(value)) {
      this.#word(-1);
      return;
    }
    this.#word(8);
    this.#view.setFloat64(this.#at, value);
    this.#at += 8;
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
      this.#word(-1);
      return;
    }
    const start = this.#at;
    let hasNull = 0;
    this.#at += 4 + headOf(1);
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (Number.isNaN(value)) hasNull = 1;
      this.double(value);
    }
    const end = this.#at;
    this.#at = start;
    this.#arrayHead(end - start - 4, hasNull, FLOAT8, values.length);
    this.#at = end;
  }

  /** An array of at most some hundred whole numbers, or NULL. */
  integers(values: Int32Array | null): void {
    this.#makeRoom();
    if (values === null) {
      this.#word(-1);
      return;
    }
    this.#arrayHead(headOf(1) + 8 * values.length, 0, INT4, values.length);
    for (let i = 0; i < values.length; i++) this.integer(values[i]!);
  }

  /** What is to be sent. */
  end(): readonly Buffer[] {
    this.#view.setInt16(this.#at, -1);
    this.#at += 2;
    this.#cut();
    return this.#pieces;
  }

  #arrayHead(bytes: number, hasNull: number, type: number, length: number): void {
    this.#word(bytes);
    this.#word(1);
    this.#word(hasNull);
    this.#word(type);
    this.#word(length);
    this.#word(1);
  }

  #word(value: number): void {
    this.#view.setInt32(this.#at, value);
    this.#at += 4;
  }

  #makeRoom(): void {
    if (this.#at > PIECE) this.#cut();
  }

  #cut(): void {
    this.#pieces.push(this.#buffer.subarray(0, this.#at));
    this.#buffer = Buffer.allocUnsafe(PIECE + ROOM);
    this.#view = viewOf(this.#buffer);
    this.#at = 0;
  }
}

/** Most rows have fewer bytes: a year of closes. */
const USUAL_ROW = 8192;

/** Rows as they arrive: each of a row's columns is to be read in turn. */
export class CopyReader {
  #bytes: Buffer = Buffer.alloc(0);
  #view = viewOf(this.#bytes);
  #at = 0;
  #isSigned = false;

  /** Takes the next bytes and calls `take` for each row that is complete. A row that goes on in the next bytes is kept until they come. */
  push(piece: Buffer, take: (row: CopyReader) => void): void {
    const begun = this.#bytes.subarray(this.#at);
    if (begun.length === 0) this.#turnTo(piece, 0);
    else {
      // Only the row that has begun is put together: to copy every piece would double the memory that all of this takes.
      this.#turnTo(Buffer.concat([begun, piece.subarray(0, USUAL_ROW)]), 0);
      if (this.#takeRow(take)) this.#turnTo(piece, this.#at - begun.length);
      else if (piece.length > USUAL_ROW) this.#turnTo(Buffer.concat([begun, piece]), this.#at);
    }
    while (this.#takeRow(take));
  }

  /** NULL is NaN. */
  integer(): number {
    const at = this.#column();
    return at < 0 ? Number.NaN : this.#view.getInt32(at);
  }

  double(): number {
    const at = this.#column();
    return at < 0 ? Number.NaN : this.#view.getFloat64(at);
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
    this.#numbers(at + headOf(1), this.#hasNull(at), values, 0, values.length);
    return values;
  }

  /** An array of whole numbers without NULL; null where the column is NULL. */
  integers(): Int32Array | null {
    const at = this.#column();
    if (at < 0) return null;
    const values = new Int32Array(this.#lengthOf(at));
    for (let i = 0, from = at + headOf(1) + 4; i < values.length; i++, from += 8) values[i] = this.#view.getInt32(from);
    return values;
  }

  /** An array of two dimensions that is not NULL, each row of it to its place in memory that is there. */
  rowsInto(target: Float64Array, places: readonly number[]): void {
    const at = this.#column();
    const length = this.#view.getInt32(at + headOf(1));
    let from = at + headOf(2);
    for (const place of places) from = this.#numbers(from, this.#hasNull(at), target, place, length);
  }

  #turnTo(bytes: Buffer, at: number): void {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#at = at;
  }

  /** False if no row is complete. */
  #takeRow(take: (row: CopyReader) => void): boolean {
    if (!this.#isSigned) {
      if (this.#bytes.length < SIGNATURE.length) return false;
      this.#isSigned = true;
      this.#at = SIGNATURE.length;
    }
    const end = this.#endOfRow();
    if (end === 0) return false;
    this.#at += 2;
    take(this);
    this.#at = end;
    return true;
  }

  #hasNull(at: number): boolean {
    return this.#view.getInt32(at + 4) !== 0;
  }

  #lengthOf(at: number): number {
    return this.#view.getInt32(at) === 0 ? 0 : this.#view.getInt32(at + 12);
  }

  /** Returns where the number after the last one begins. */
  #numbers(start: number, hasNull: boolean, target: Float64Array, offset: number, count: number): number {
    const view = this.#view;
    let from = start;
    for (let i = 0; i < count; i++) {
      if (hasNull && view.getInt32(from) < 0) {
        target[offset + i] = Number.NaN;
        from += 4;
      } else {
        target[offset + i] = view.getFloat64(from + 4);
        from += CELL;
      }
    }
    return from;
  }

  /** Where the next column's bytes begin; -1 for NULL. */
  #column(): number {
    const length = this.#view.getInt32(this.#at);
    const at = this.#at + 4;
    this.#at = at + Math.max(0, length);
    return length < 0 ? -1 : at;
  }

  /** Where the row that begins here ends; 0 when not all of it is there, or there are no more. */
  #endOfRow(): number {
    const view = this.#view;
    const length = view.byteLength;
    let at = this.#at;
    if (at + 2 > length) return 0;
    const columns = view.getInt16(at);
    at += 2;
    if (columns < 0) {
      this.#at = length;
      return 0;
    }
    for (let column = 0; column < columns; column++) {
      if (at + 4 > length) return 0;
      at += 4 + Math.max(0, view.getInt32(at));
    }
    return at > length ? 0 : at;
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

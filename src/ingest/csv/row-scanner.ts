// Cuts the bytes of a CSV file into rows and cells (RFC 4180), chunk by chunk.
//
// A general CSV library was considered: it makes a text of every cell, which alone costs more than this whole source may, and
// after broken quoting it cannot go on at the next line. Here a quote that is never closed costs its own line only.

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const SPACE = 0x20;

/** Longer rows are refused, so that neither an unclosed quote nor a file without line ends fills the memory. */
export const MAX_ROW_BYTES = 64 * 1024;

export const SCANNED = {
  /** A row is there; its cells are `from[i] … to[i] - 1` of `bytes`. */
  row: 0,
  /** The row that starts at `line` has broken quoting or is too long (`fault` says which). Scanning goes on with the next line. */
  broken: 1,
  /** The chunk is used up. */
  more: 2,
} as const;
export type Scanned = (typeof SCANNED)[keyof typeof SCANNED];

export class RowScanner {
  bytes: Buffer = Buffer.alloc(1, LF);
  /** Of the row scanned last. */
  from = new Int32Array(64);
  to = new Int32Array(64);
  cells = 0;
  /** Line of the file, from 1, on which the row scanned last starts. */
  line = 0;
  /** Lines that the row spans; more than one only with line ends inside quotes. */
  lines = 0;
  fault = '';

  readonly #delimiter: number;
  /** No byte above it has a meaning. */
  readonly #highestSpecial: number;
  /** Next byte to scan, and the end of what is there; after it stands a line end that is not part of the file. */
  #at = 0;
  #end = 0;
  #final = false;
  #nextLine: number;
  /** A CR ended the last chunk: a LF at the start of the next one belongs to it. */
  #skipLf = false;
  #skipLine = false;
  #rowStart = 0;

  constructor(delimiter: number, firstLine = 1) {
    this.#delimiter = delimiter;
    this.#highestSpecial = Math.max(delimiter, QUOTE);
    this.#nextLine = firstLine;
  }

  /** A cell of the row scanned last, without quotes and spaces around it; bytes that are not UTF-8 come out as U+FFFD. */
  text(cell: number): string {
    const from = this.from[cell]!;
    const text = this.bytes.toString('utf8', from, this.to[cell]!).trim();
    return this.bytes[from - 1] === QUOTE ? text.replaceAll('""', '"') : text;
  }

  /** The lines of the row scanned last after its first one, as ASCII. */
  laterLines(): string[] {
    const row = this.bytes.toString('latin1', this.#rowStart, this.#at);
    return row.split(/\r\n|\r|\n/).slice(1);
  }

  /** What was not used of the bytes before stays; positions of earlier cells are no longer valid. */
  push(chunk: Uint8Array): void {
    const rest = this.#end - this.#at;
    const needed = rest + chunk.length + 1;
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, MAX_ROW_BYTES));
      this.bytes.copy(grown, 0, this.#at, this.#end);
      this.bytes = grown;
    } else {
      this.bytes.copyWithin(0, this.#at, this.#end);
    }
    this.bytes.set(chunk, rest);
    this.#at = 0;
    this.#end = rest + chunk.length;
    this.bytes[this.#end] = LF;
  }

  /** The file ends here, whole: its last row may lack a line end. */
  finish(): void {
    this.#final = true;
  }

  /** The file breaks off here: what follows the last line end is not a row. Returns the line it would have been on. */
  cut(): number {
    while (this.#end > this.#at && this.bytes[this.#end - 1] !== LF && this.bytes[this.#end - 1] !== CR) this.#end--;
    this.bytes[this.#end] = LF;
    this.#final = true;
    return this.#nextLine + linesIn(this.bytes, this.#at, this.#end);
  }

  next(): Scanned {
    if (this.#skipLf && this.#at < this.#end) {
      if (this.bytes[this.#at] === LF) this.#at++;
      this.#skipLf = false;
    }
    if (this.#skipLine && !this.#endLine()) return SCANNED.more;
    return this.#scan();
  }

  /** Scans the second line of the row scanned last as a row of its own: after an unclosed quote it is one. */
  rescanFromSecondLine(): void {
    this.#at = this.#rowStart;
    this.#skipLf = false;
    this.#nextLine = this.line;
    this.#endLine();
  }

  #scan(): Scanned {
    const { bytes } = this;
    let { from, to } = this;
    const delimiter = this.#delimiter;
    const highestSpecial = this.#highestSpecial;
    const start = this.#at;
    let at = start;
    let cell = 0;
    let cellStart = at;
    let lines = 1;
    this.line = this.#nextLine;
    this.#rowStart = start;
    for (;;) {
      const byte = bytes[at]!;
      if (byte > highestSpecial) {
        at++;
      } else if (byte === delimiter) {
        // Room for this cell and for one more, which may be the last.
        if (cell + 2 > from.length) ({ from, to } = this.#growCells());
        from[cell] = cellStart;
        to[cell++] = at++;
        cellStart = at;
      } else if (byte === LF || byte === CR) {
        break;
      } else if (byte === QUOTE && onlySpaces(bytes, cellStart, at)) {
        const closed = this.#closingQuote(at + 1, start);
        if (closed === NOT_THERE_YET) return SCANNED.more;
        if (closed === BROKEN) return this.#broken('a quote is not closed, or is followed by more text');
        lines += linesIn(bytes, at, closed);
        from[cell] = at + 1;
        to[cell++] = closed;
        at = closed + 1;
        while (bytes[at] === SPACE) at++;
        if (bytes[at] !== delimiter) {
          cellStart = -1;
          break;
        }
        if (cell + 2 > from.length) ({ from, to } = this.#growCells());
        cellStart = ++at;
      } else {
        at++;
      }
    }
    if (at - start > MAX_ROW_BYTES) return this.#broken(TOO_LONG);
    if (at >= this.#end && (!this.#final || at === start)) return SCANNED.more;
    if (cellStart >= 0) {
      from[cell] = cellStart;
      to[cell++] = at;
    }
    this.cells = cell;
    this.lines = lines;
    this.#nextLine += lines;
    this.#at = this.#afterLineEnd(at);
    return SCANNED.row;
  }

  #growCells(): { from: Int32Array<ArrayBuffer>; to: Int32Array<ArrayBuffer> } {
    const { from, to } = this;
    this.from = new Int32Array(from.length * 2);
    this.to = new Int32Array(to.length * 2);
    this.from.set(from);
    this.to.set(to);
    return this;
  }

  /** Position of the quote that closes a cell: one that a delimiter or a line end follows, and that is not the first of a pair. */
  #closingQuote(after: number, rowStart: number): number {
    const { bytes } = this;
    const end = this.#end;
    const limit = rowStart + MAX_ROW_BYTES;
    for (let at = after; at < end; at++) {
      if (at > limit) return BROKEN;
      if (bytes[at] !== QUOTE) continue;
      if (bytes[at + 1] === QUOTE && at + 1 < end) {
        at++;
        continue;
      }
      let next = at + 1;
      while (next < end && bytes[next] === SPACE) next++;
      if (next >= end) return this.#final ? at : NOT_THERE_YET;
      const byte = bytes[next];
      return byte === this.#delimiter || byte === LF || byte === CR ? at : BROKEN;
    }
    return this.#final ? BROKEN : NOT_THERE_YET;
  }

  #broken(fault: string): Scanned {
    this.fault = fault;
    this.lines = 1;
    this.#endLine();
    return SCANNED.broken;
  }

  /** Goes behind the end of the line at hand; false when the line goes on in the next chunk. */
  #endLine(): boolean {
    let at = this.#at;
    while (this.bytes[at] !== LF && this.bytes[at] !== CR) at++;
    this.#skipLine = at >= this.#end && !this.#final;
    this.#at = this.#skipLine ? this.#end : this.#afterLineEnd(at);
    if (!this.#skipLine) this.#nextLine++;
    return !this.#skipLine;
  }

  #afterLineEnd(at: number): number {
    if (at >= this.#end) return this.#end;
    if (this.bytes[at] === LF) return at + 1;
    if (at + 1 >= this.#end) {
      this.#skipLf = true;
      return at + 1;
    }
    return this.bytes[at + 1] === LF ? at + 2 : at + 1;
  }
}

const BROKEN = -1;
const NOT_THERE_YET = -2;
const TOO_LONG = `the line has more than ${MAX_ROW_BYTES} bytes`;

function onlySpaces(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== SPACE) return false;
  return true;
}

/** Line ends between two positions; CR LF is one. */
function linesIn(bytes: Uint8Array, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] === LF || (bytes[at] === CR && (at + 1 === to || bytes[at + 1] !== LF))) lines++;
  }
  return lines;
}

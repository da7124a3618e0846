// The records of a JSON text: one object, a list of objects, or one object per line (NDJSON), found by their brackets.
//
// The text is read as a stream: at most one record is held, and one that exceeds MAX_RECORD_BYTES is skipped while it is read.
// Input of any size, unpacked from any gzip file, therefore needs little memory. One broken record never costs the others.

import { DamagedInput } from '../inputs.ts';
import type { RejectReason } from '../source.ts';

/** `at` is the line on which the record starts, or in a list its number, both from 1. */
export type JsonRecord =
  | { readonly at: number; readonly value: unknown }
  | { readonly at: number; readonly reason: RejectReason; readonly detail: string };

/** Far above any profile (CoinGecko's with all tickers has 0.5 MB): a larger record is damage or an attack. */
export const MAX_RECORD_BYTES = 4 * 1024 * 1024;

export async function* jsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonRecord, void, undefined> {
  const scanner = new RecordScanner();
  try {
    for await (const chunk of chunks) {
      yield* scanner.scan(chunk);
      if (scanner.isOtherText) return;
    }
    yield* scanner.end();
  } catch (error) {
    if (!(error instanceof DamagedInput)) throw error;
    yield { at: scanner.at, reason: 'truncated', detail: error.message };
  }
}

const [LF, SPACE, QUOTE, COMMA, BACKSLASH] = [0x0a, 0x20, 0x22, 0x2c, 0x5c];
const [LIST_START, LIST_END, OBJECT_START, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const BOM = Buffer.from('\uFEFF');

class RecordScanner {
  #isStart = true;
  #inList = false;
  #sawList = false;
  #line = 1;
  #atLineStart = true;
  /** Records before the current one: of the list, if there is one. */
  #listed = 0;
  #found = 0;

  /** The current record; between records `#closes` is NONE. */
  #closes: number = NONE;
  #startLine = 0;
  #parts: Buffer[] = [];
  #bytes = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  /** The text does not begin as JSON does; nothing more is read. */
  isOtherText = false;

  get at(): number {
    if (this.#inList) return this.#listed + 1;
    return this.#closes === NONE ? this.#line : this.#startLine;
  }

  *scan(chunk: Buffer): Generator<JsonRecord, void, undefined> {
    let from = this.#isStart && chunk.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
    this.#isStart = false;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#closes === NONE) {
        if (!this.#startsRecord(byte)) continue;
        if (this.isOtherText) return yield notJson(chunk.subarray(at));
        from = at;
      } else {
        const end = this.#endsAt(byte);
        if (end === GOES_ON) continue;
        yield this.#take(chunk.subarray(from, at + (end === AFTER ? 1 : 0)));
        // The byte belongs to what follows: it is looked at once more.
        if (end === BEFORE) at--;
      }
    }
    if (this.#closes !== NONE) this.#keep(chunk.subarray(from));
  }

  *end(): Generator<JsonRecord, void, undefined> {
    const { at } = this;
    if (this.#inList) {
      const [what, sign] = this.#closes === NONE ? ['list', ']'] : ['record', '}'];
      yield { at, reason: 'truncated', detail: `the ${what} has no end; expected a closing ${sign}` };
    } else if (this.#closes !== NONE) {
      yield this.#take(Buffer.alloc(0));
    } else if (this.#found === 0 && !this.#sawList) {
      yield { at: 1, reason: 'bad_profile', detail: 'expected profiles as JSON, got nothing' };
    }
  }

  #startsRecord(byte: number): boolean {
    if (byte === LF) this.#line++;
    if (byte <= SPACE || byte === COMMA) {
      this.#atLineStart = byte === LF;
      return false;
    }
    if (byte === LIST_START && !this.#inList) {
      this.#sawList = this.#inList = true;
      return false;
    }
    if (byte === LIST_END && this.#inList) {
      this.#inList = false;
      return false;
    }
    this.#closes = byte === OBJECT_START ? OBJECT_END : byte === LIST_START ? LIST_END : SCALAR;
    this.isOtherText = this.#closes === SCALAR && this.#found === 0 && !this.#sawList;
    this.#startLine = this.#line;
    this.#depth = 1;
    this.#inText = byte === QUOTE;
    this.#atLineStart = false;
    return true;
  }

  /** Whether the current record ends before this byte or after it. */
  #endsAt(byte: number): typeof GOES_ON | typeof BEFORE | typeof AFTER {
    if (byte === LF) {
      // No text may hold a line end: an unclosed quote costs one record, not all that follow.
      this.#inText = this.#isEscaped = false;
      if (this.#closes === SCALAR) return BEFORE;
      this.#line++;
      this.#atLineStart = true;
      return GOES_ON;
    }
    // A record at the start of a line is never part of another one: the one before lacks its end.
    if (this.#atLineStart && byte === OBJECT_START && !this.#inList) return BEFORE;
    this.#atLineStart = false;
    if (this.#inText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#inText = false;
      return GOES_ON;
    }
    if (byte === QUOTE) this.#inText = true;
    else if (this.#closes === SCALAR) return this.#inList && (byte === COMMA || byte === LIST_END) ? BEFORE : GOES_ON;
    else if (byte === this.#closes) return --this.#depth === 0 ? AFTER : GOES_ON;
    else if (byte === (this.#closes === OBJECT_END ? OBJECT_START : LIST_START)) this.#depth++;
    return GOES_ON;
  }

  #keep(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#bytes <= MAX_RECORD_BYTES) this.#parts.push(bytes);
    else this.#parts = [];
  }

  /** The record whose last bytes these are. */
  #take(last: Buffer): JsonRecord {
    this.#keep(last);
    const { at } = this;
    const record = this.#bytes <= MAX_RECORD_BYTES ? readRecord(Buffer.concat(this.#parts), at) : tooLong(at);
    this.#closes = NONE;
    this.#parts = [];
    this.#bytes = 0;
    this.#found++;
    if (this.#inList) this.#listed++;
    return record;
  }
}

const [NONE, SCALAR] = [0, 1];
const [GOES_ON, BEFORE, AFTER] = [0, 1, 2] as const;

function tooLong(at: number): JsonRecord {
  const detail = `the record has more than ${MAX_RECORD_BYTES / 1024 / 1024} MB`;
  return { at, reason: 'bad_profile', detail };
}

function notJson(bytes: Buffer): JsonRecord {
  const line = bytes.toString('utf8', 0, 60).split('\n', 1)[0]!.trim();
  const csv = /[,;\t]/.test(line) ? '; daily closes in CSV are loaded by: ingest csv' : '';
  return { at: 1, reason: 'bad_profile', detail: `expected profiles as JSON, got ${JSON.stringify(line)}${csv}` };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readRecord(bytes: Buffer, at: number): JsonRecord {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { at, reason: 'bad_encoding', detail: 'the record holds bytes that are not UTF-8' };
  }
  try {
    return { at, value: JSON.parse(text) };
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : String(error);
    return { at, reason: 'bad_profile', detail: `not JSON: ${message.replace(/\s+/g, ' ')}` };
  }
}

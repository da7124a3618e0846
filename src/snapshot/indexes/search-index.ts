// The trigram index behind `q=`: the folded id, name and ticker of each row, and for each sequence of three bytes the rows that
// contain it. Built once, in shared memory, for all threads.
//
// Each byte maps to a code of six bits: letters, digits and common separators have a code of their own, other bytes share some. A
// trigram is one of 262,144 keys. Keys with the same first bytes are adjacent, so a query of one or two bytes is a range of keys. A
// longer query is several keys at known distances. The position of a key's first occurrence in a row usually shows that the row
// contains the whole query, so that its texts need not be read.

import { sharedBytes, sharedCounts } from '../columns/shared-memory.ts';
import { foldForSearch, textAt } from '../columns/texts.ts';
import type { SearchMatches, TextData, TextSearch } from '../table.ts';

/** Can be posted to another thread. */
export interface SearchIndexData {
  /** The folded texts, row by row, each followed by a `SEPARATOR`. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** The start of each row's texts, and the end of the last. */
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  /** The rows of key k are `rows[starts[k] … starts[k + 1] - 1]`, ascending, each once. */
  readonly starts: Uint32Array<SharedArrayBuffer>;
  readonly rows: Uint32Array<SharedArrayBuffer>;
  /** For each entry of `rows`, the position of the key's first occurrence in the row's texts, at most `FAR`. */
  readonly places: Uint8Array<SharedArrayBuffer>;
}

/** A trigram of a query, or a shorter query: its position in the query, and the range of `rows` that contain it. */
interface Piece {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** No match spans it: no query and no folded text contains it. */
const SEPARATOR = 0;
const CODE_BITS = 6;
const KEY_BYTES = 3;
const KEYS = 2 ** (KEY_BYTES * CODE_BITS);
const FAR = 255;
const OWN_CODE = 'abcdefghijklmnopqrstuvwxyz0123456789- .';

/** The code of each byte; 0 for the separator. */
const CODES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === SEPARATOR) return 0;
  const own = OWN_CODE.indexOf(String.fromCharCode(byte));
  return own >= 0 ? 1 + own : 1 + OWN_CODE.length + (byte % (2 ** CODE_BITS - 1 - OWN_CODE.length));
});

export class SearchIndex implements TextSearch {
  readonly #data: SearchIndexData;

  constructor(data: SearchIndexData) {
    this.#data = data;
  }

  find(wanted: string): SearchMatches {
    const bytes = Buffer.from(wanted);
    const { from, to } = rarestOf(this.#pieces(bytes));
    return {
      rows: this.#data.rows.subarray(from, to),
      distinct: bytes.length >= KEY_BYTES,
      exact: bytes.length <= KEY_BYTES && hasOwnCodes(wanted),
    };
  }

  list(wanted: string, out: Uint32Array): number {
    const { bytes, offsets, rows, places } = this.#data;
    const sought = Uint8Array.from(Buffer.from(wanted));
    const pieces = this.#pieces(sought);
    const rarest = rarestOf(pieces);
    // Every third piece and the last one cover the whole query.
    const others = pieces.filter(each => each !== rarest && (each.at % KEY_BYTES === 0 || each === pieces.at(-1)));
    const next = Uint32Array.from(others, ({ from }) => from);
    const placesTell = hasOwnCodes(wanted);
    let count = 0;
    for (let i = rarest.from; i < rarest.to; i++) {
      const row = rows[i]!;
      const start = places[i]! - rarest.at;
      let hasAll = true;
      let inPlace = placesTell && start + sought.length <= FAR;
      for (let k = 0; hasAll && k < others.length; k++) {
        const { at, to } = others[k]!;
        let j = next[k]!;
        while (j < to && rows[j]! < row) j++;
        next[k] = j;
        hasAll = j < to && rows[j] === row;
        inPlace &&= places[j] === start + at;
      }
      if (hasAll && (inPlace || contains(bytes, offsets[row]!, offsets[row + 1]!, sought))) out[count++] = row;
    }
    return count;
  }

  keep(wanted: string, rows: Uint32Array, from: number, to: number): number {
    const { bytes, offsets } = this.#data;
    const sought = Uint8Array.from(Buffer.from(wanted));
    let end = from;
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      if (contains(bytes, offsets[row]!, offsets[row + 1]!, sought)) rows[end++] = row;
    }
    return end;
  }

  #pieces(bytes: Uint8Array): Piece[] {
    const { starts } = this.#data;
    return Array.from({ length: Math.max(1, bytes.length - KEY_BYTES + 1) }, (_, at) => {
      const piece = bytes.subarray(at, at + KEY_BYTES);
      const key = piece.reduce((prefix, byte) => (prefix << CODE_BITS) | CODES[byte]!, 0);
      const open = (KEY_BYTES - piece.length) * CODE_BITS;
      return { at, from: starts[key << open]!, to: starts[(key + 1) << open]! };
    });
  }
}

function rarestOf(pieces: readonly Piece[]): Piece {
  return pieces.reduce((rarest, piece) => (piece.to - piece.from < rarest.to - rarest.from ? piece : rarest));
}

/** Whether no other text has the same keys. */
function hasOwnCodes(text: string): boolean {
  return [...text].every(letter => OWN_CODE.includes(letter));
}

/** What is sought begins at `start`. */
function contains(
  bytes: Uint8Array,
  from: number,
  to: number,
  sought: Uint8Array,
  start = 0,
  end = sought.length,
): boolean {
  const length = end - start;
  if (length === 0) return true;
  const last = to - length;
  const first = sought[start]!;
  for (let i = from; i <= last; i++) {
    if (bytes[i] !== first) continue;
    let same = 1;
    while (same < length && bytes[i + same] === sought[start + same]) same++;
    if (same === length) return true;
  }
  return false;
}

/** `columns` are those to search in. */
export function searchIndexData(columns: readonly TextData[]): SearchIndexData {
  const texts = foldedTexts(columns);
  const next = new Uint32Array(KEYS + 1);
  eachKey(texts, next, null);
  const starts = sharedCounts(KEYS + 1);
  for (let key = 0; key < KEYS; key++) starts[key + 1] = starts[key]! + next[key]!;
  const found = { rows: sharedCounts(starts[KEYS]!), places: sharedBytes(starts[KEYS]!) };
  next.set(starts);
  eachKey(texts, next, found);
  return { ...texts, starts, ...found };
}

type Texts = Pick<SearchIndexData, 'bytes' | 'offsets'>;

/**
 * Takes the keys of each row, each once, at its first occurrence: counts them in `next`, and with `found` writes the row and the place
 * to the position that `next` has for the key. A key is a byte that is not a separator and the two after it.
 */
function eachKey(
  { bytes, offsets }: Texts,
  next: Uint32Array,
  found: Pick<SearchIndexData, 'rows' | 'places'> | null,
): void {
  /** The last row with the key, plus one. */
  const taken = new Uint32Array(KEYS);
  for (let row = 0; row + 1 < offsets.length; row++) {
    const from = offsets[row]!;
    const end = offsets[row + 1]!;
    let key = 0;
    // Two steps more than the row has bytes, because the key lags by two.
    for (let i = from; i < end + KEY_BYTES - 1; i++) {
      key = ((key << CODE_BITS) | (i < end ? CODES[bytes[i]!]! : 0)) & (KEYS - 1);
      if (key >>> ((KEY_BYTES - 1) * CODE_BITS) === 0 || taken[key] === row + 1) continue;
      taken[key] = row + 1;
      const at = next[key]!;
      next[key] = at + 1;
      if (found === null) continue;
      found.rows[at] = row;
      found.places[at] = Math.min(i - from - (KEY_BYTES - 1), FAR);
    }
  }
}

function foldedTexts(columns: readonly TextData[]): Texts {
  const rows = columns[0]!.missing.length;
  const offsets = sharedCounts(rows + 1);
  const folded = new FoldedBytes(columns.reduce((size, { bytes }) => size + bytes.length + rows, 0));
  for (let row = 0; row < rows; row++) {
    for (const column of columns) folded.add(column, row, offsets[row]!);
    offsets[row + 1] = folded.length;
  }
  const bytes = sharedBytes(folded.length);
  bytes.set(folded.bytes.subarray(0, folded.length));
  return { bytes, offsets };
}

class FoldedBytes {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  /** A text that another text of the row contains (the ticker in the id) adds nothing and is left out. */
  add(column: TextData, row: number, rowStart: number): void {
    const from = this.length;
    if (!this.#addAscii(column, row)) {
      // In UTF-8, only the character NUL has a byte 0.
      this.#append(Buffer.from(foldForSearch(textAt(column, row) ?? '').replaceAll('\0', ' ')));
    }
    if (contains(this.bytes, rowStart, from, this.bytes, from, this.length)) this.length = from;
    else {
      this.#reserve(1);
      this.bytes[this.length++] = SEPARATOR;
    }
  }

  /** Allocates no string. Returns false, and adds nothing, for a text that is not ASCII. */
  #addAscii({ bytes, offsets }: TextData, row: number): boolean {
    const end = offsets[row + 1]!;
    this.#reserve(end - offsets[row]!);
    const folded = this.bytes;
    let { length } = this;
    for (let i = offsets[row]!; i < end; i++) {
      const byte = bytes[i]!;
      if (byte > 127) return false;
      folded[length++] = byte === SEPARATOR ? 32 : byte >= 65 && byte <= 90 ? byte + 32 : byte;
    }
    this.length = length;
    return true;
  }

  #append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  #reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const larger = new Uint8Array(2 * (this.length + size));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

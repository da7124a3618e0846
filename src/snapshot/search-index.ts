// What `q=` looks in: the folded id, name and ticker of each row, and for every three bytes that follow each other in them the
// rows where they do. It lies in shared memory, made once for all threads.
//
// Bytes are told apart by six bits: letters, digits and the common separators have a code of their own, the others share some.
// So three bytes are one of 262,144 keys, and the keys that begin alike lie side by side: a query of one or two bytes is a
// stretch of them. A longer query is some keys, each so far behind the first: where they first stand in a row mostly tells that
// they stand there as in the query, and the row's texts need not be read.

import type { SearchMatches, TextSearch } from './row-indexes.ts';
import { sharedBytes, sharedCounts } from './shared-memory.ts';
import type { TextData } from './table.ts';
import { textAt } from './texts.ts';

/** Can be posted to another thread. */
export interface SearchIndexData {
  /** The folded texts of one row after the other, each text with a `SEPARATOR` behind it. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Where each row's texts begin, and behind the last one. */
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  /** The rows of key k are `rows[starts[k] … starts[k + 1] - 1]`, ascending, each once. */
  readonly starts: Uint32Array<SharedArrayBuffer>;
  readonly rows: Uint32Array<SharedArrayBuffer>;
  /** Where the key first stands in the row's texts, beside each row of a key; `FAR` when it is that far or farther. */
  readonly places: Uint8Array<SharedArrayBuffer>;
}

/** Three bytes of a query (all of a shorter one): their place in it, and where the rows that have them begin and end. */
interface Piece {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** No match reaches over it: it is in no query and, once folded, in no text. */
const SEPARATOR = 0;
const CODE_BITS = 6;
const KEY_BYTES = 3;
const KEYS = 2 ** (KEY_BYTES * CODE_BITS);
const FAR = 255;
const OWN_CODE = 'abcdefghijklmnopqrstuvwxyz0123456789- .';

/** Compatibility forms (full width, ligatures) and upper case make no difference to a search. */
export function foldForSearch(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** By byte; the separator has 0. */
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
    // Every third piece and the last one have all of the query.
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

/** Whether its keys are those of no other text. */
function hasOwnCodes(text: string): boolean {
  return [...text].every(letter => OWN_CODE.includes(letter));
}

function contains(bytes: Uint8Array, from: number, to: number, sought: Uint8Array): boolean {
  const last = to - sought.length;
  if (sought.length === 0) return true;
  const first = sought[0]!;
  for (let i = from; i <= last; i++) {
    if (bytes[i] !== first) continue;
    let same = 1;
    while (same < sought.length && bytes[i + same] === sought[same]) same++;
    if (same === sought.length) return true;
  }
  return false;
}

/** Of the columns to search in, one text of each a row. */
export function searchIndexData(columns: readonly TextData[]): SearchIndexData {
  const texts = foldedTexts(columns);
  const starts = sharedCounts(KEYS + 1);
  eachKey(texts, key => {
    starts[key + 1]!++;
  });
  for (let key = 0; key < KEYS; key++) starts[key + 1]! += starts[key]!;
  const rows = sharedCounts(starts[KEYS]!);
  const places = sharedBytes(starts[KEYS]!);
  const next = starts.slice();
  eachKey(texts, (key, row, place) => {
    rows[next[key]!] = row;
    places[next[key]!] = Math.min(place, FAR);
    next[key]!++;
  });
  return { ...texts, starts, rows, places };
}

type Texts = Pick<SearchIndexData, 'bytes' | 'offsets'>;

/** The keys of each row, each once, where it first stands: of every byte that is no separator and the two behind it. */
function eachKey({ bytes, offsets }: Texts, take: (key: number, row: number, place: number) => void): void {
  /** The last row with the key, plus one. */
  const taken = new Uint32Array(KEYS);
  for (let row = 0; row + 1 < offsets.length; row++) {
    const [from, end] = [offsets[row]!, offsets[row + 1]!];
    let key = 0;
    // Two steps more than the row has bytes: the key lags behind by two.
    for (let i = from; i < end + KEY_BYTES - 1; i++) {
      key = ((key << CODE_BITS) | (i < end ? CODES[bytes[i]!]! : 0)) & (KEYS - 1);
      if (key >>> ((KEY_BYTES - 1) * CODE_BITS) === 0 || taken[key] === row + 1) continue;
      taken[key] = row + 1;
      take(key, row, i - from - (KEY_BYTES - 1));
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

  /** A text that stands in another one of the row (the ticker in the id) finds nothing more and is left out. */
  add(column: TextData, row: number, rowStart: number): void {
    const from = this.length;
    if (!this.#addAscii(column, row)) {
      this.length = from;
      // A byte of UTF-8 is 0 for the character of that code only.
      this.#append(Buffer.from(foldForSearch(textAt(column, row) ?? '').replaceAll('\0', ' ')));
    }
    if (contains(this.bytes, rowStart, from, this.bytes.subarray(from, this.length))) this.length = from;
    else this.#append(Uint8Array.of(SEPARATOR));
  }

  /** Without making a string; false, and a part written, for other texts than ASCII. */
  #addAscii({ bytes, offsets }: TextData, row: number): boolean {
    this.#reserve(offsets[row + 1]! - offsets[row]!);
    for (let i = offsets[row]!; i < offsets[row + 1]!; i++) {
      const byte = bytes[i]!;
      if (byte > 127) return false;
      this.bytes[this.length++] = byte === SEPARATOR ? 32 : byte >= 65 && byte <= 90 ? byte + 32 : byte;
    }
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

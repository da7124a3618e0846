// Text columns: packs strings into shared bytes, reads them back, compares and sorts them by code point.
//
// Comparisons work on UTF-8 bytes, whose order is that of the code points. The order of JavaScript strings is not.

import type { TextData } from '../table.ts';
import { sharedBytes, sharedCounts } from './shared-memory.ts';
import { sortedByInteger } from './sort-numbers.ts';
import { WorkMemory } from './work-memory.ts';

export function packTexts(texts: readonly (string | null)[]): TextData {
  const offsets = sharedCounts(texts.length + 1);
  const missing = sharedBytes(texts.length);
  const joined = texts.join('');
  // Only for ASCII are lengths in characters lengths in bytes. One call for the whole column is faster than one per text.
  const ascii = Buffer.byteLength(joined) === joined.length;
  let size = 0;
  for (let row = 0; row < texts.length; row++) {
    const text = texts[row] ?? null;
    if (text === null) missing[row] = 1;
    else size += ascii ? text.length : Buffer.byteLength(text);
    offsets[row + 1] = size;
  }
  const bytes = sharedBytes(size);
  const buffer = bufferOf(bytes);
  if (ascii) buffer.write(joined, 'latin1');
  else for (let row = 0; row < texts.length; row++) buffer.write(texts[row] ?? '', offsets[row]!);
  return { kind: 'text', bytes, offsets, missing };
}

/** The same text in all rows, in one block of memory. */
export function repeatText(text: string, rows: number): TextData {
  const size = Buffer.byteLength(text);
  const memory = new SharedArrayBuffer(4 * (rows + 1) + rows + size * rows);
  const offsets = new Uint32Array(memory, 0, rows + 1);
  const missing = new Uint8Array(memory, offsets.byteLength, rows);
  const bytes = new Uint8Array(memory, offsets.byteLength + rows);
  for (let row = 1; row <= rows; row++) offsets[row] = row * size;
  if (size > 0) bufferOf(bytes).fill(text);
  return { kind: 'text', bytes, offsets, missing };
}

/** The rows of all parts, one part after the other. */
export function joinTexts(parts: readonly TextData[]): TextData {
  const total = (lengthOf: (part: TextData) => number) => parts.reduce((sum, part) => sum + lengthOf(part), 0);
  const bytes = sharedBytes(total(part => part.bytes.length));
  const offsets = sharedCounts(total(part => part.missing.length) + 1);
  const missing = sharedBytes(offsets.length - 1);
  let [rows, size] = [0, 0];
  for (const part of parts) {
    bytes.set(part.bytes, size);
    missing.set(part.missing, rows);
    for (let row = 1; row < part.offsets.length; row++) offsets[rows + row] = size + part.offsets[row]!;
    rows += part.missing.length;
    size += part.bytes.length;
  }
  return { kind: 'text', bytes, offsets, missing };
}

/** The texts of these rows, in their order. */
export function gatherTexts(texts: TextData, rows: Uint32Array): TextData {
  const offsets = sharedCounts(rows.length + 1);
  const missing = sharedBytes(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    offsets[i + 1] = offsets[i]! + texts.offsets[row + 1]! - texts.offsets[row]!;
    missing[i] = texts.missing[row]!;
  }
  const bytes = sharedBytes(offsets[rows.length]!);
  for (let i = 0; i < rows.length; i++) {
    const from = texts.offsets[rows[i]!]!;
    // Texts are short: a call per text would take longer than copying its bytes.
    for (let to = offsets[i]!, at = from; to < offsets[i + 1]!; to++, at++) bytes[to] = texts.bytes[at]!;
  }
  return { kind: 'text', bytes, offsets, missing };
}

/** The same memory as a Buffer, for its fast conversions. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function textAt(data: TextData, row: number): string | null {
  if (data.missing[row] === 1) return null;
  return bufferOf(data.bytes).toString('utf8', data.offsets[row]!, data.offsets[row + 1]!);
}

/** Whether a row has this text, which is ASCII. */
export function textIs({ bytes, offsets, missing }: TextData, row: number, text: string): boolean {
  const start = offsets[row]!;
  if (offsets[row + 1]! - start !== text.length || missing[row] === 1) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Like `textAt` for every row, in a tenth of the time. */
export function allTexts(data: TextData): (string | null)[] {
  const { bytes, offsets, missing } = data;
  const joined = bufferOf(bytes).toString();
  // Only for ASCII are offsets in bytes offsets in characters.
  const ascii = joined.length === bytes.length;
  return Array.from(missing, (none, row) => {
    if (none === 1) return null;
    return ascii ? joined.slice(offsets[row]!, offsets[row + 1]!) : textAt(data, row);
  });
}

/** By code point, null last. */
export function compareTexts(a: TextData, aRow: number, b: TextData, bRow: number): number {
  const missing = a.missing[aRow]! - b.missing[bRow]!;
  if (missing !== 0) return missing;
  let i = a.offsets[aRow]!;
  let j = b.offsets[bRow]!;
  const aEnd = a.offsets[aRow + 1]!;
  const bEnd = b.offsets[bRow + 1]!;
  while (i < aEnd && j < bEnd) {
    const difference = a.bytes[i++]! - b.bytes[j++]!;
    if (difference !== 0) return difference;
  }
  return aEnd - i - (bEnd - j);
}

/** Rows sorted by their text, null last, equal texts in their given order. */
export function sortedByText(data: TextData, rows: Uint32Array, memory = new WorkMemory()): Uint32Array {
  const sorted = rows.slice();
  sortFrom(data, sorted, 0, memory);
  return sorted;
}

/** Bytes that one double orders exactly: `BASE ** 6` is below 2^53. */
const BYTES_PER_KEY = 6;
/** One digit per byte, and 0 for the end of the text. */
const BASE = 257;
/** Fewer rows than this are sorted faster by insertion. */
const FEW = 24;

/** Sorts rows whose texts are equal before byte `depth`: by the next six bytes as one number, then each group of equals. */
function sortFrom(data: TextData, rows: Uint32Array, depth: number, memory: WorkMemory): void {
  if (rows.length < FEW) {
    insertionSort(data, rows, 0, rows.length);
    return;
  }
  const keys = memory.doubles(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = keyAt(data, rows[i]!, depth);
  const order = sortedByInteger(keys, memory);
  const given = rows.slice();
  for (let i = 0; i < rows.length; i++) rows[i] = given[order[i]!]!;
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const key = keys[order[from]!]!;
    do to++;
    while (to < rows.length && keys[order[to]!] === key);
    // A last digit of 0 means that the texts have ended, so they are equal.
    if (to - from === 1 || key % BASE === 0) continue;
    if (to - from < FEW) insertionSort(data, rows, from, to);
    // With other memory, because the keys of this depth are still needed.
    else sortFrom(data, rows.subarray(from, to), depth + BYTES_PER_KEY, new WorkMemory());
  }
}

function insertionSort(data: TextData, rows: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const row = rows[i]!;
    let place = i;
    while (place > from && compareTexts(data, rows[place - 1]!, data, row) > 0) {
      rows[place] = rows[place - 1]!;
      place--;
    }
    rows[place] = row;
  }
}

function keyAt(data: TextData, row: number, depth: number): number {
  if (data.missing[row] === 1) return Number.NaN;
  const from = data.offsets[row]! + depth;
  const end = data.offsets[row + 1]!;
  let key = 0;
  for (let i = from; i < from + BYTES_PER_KEY; i++) key = key * BASE + (i < end ? data.bytes[i]! + 1 : 0);
  return key;
}

/** A search ignores compatibility forms (full width, ligatures) and case. */
export function foldForSearch(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

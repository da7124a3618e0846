// Numbers the different texts of a column, so that equal texts have the same number. Works on their bytes: a Map of a million strings
// takes several times as long.

import { tickerKey } from '../../domain/asset-state.ts';
import type { TextData } from '../table.ts';
import { sharedCounts, sharedIntegers } from './shared-memory.ts';
import { compareTexts, textAt } from './texts.ts';

export interface TextNumbers {
  /** By row; 0 for rows that were not given. */
  readonly numbers: Uint32Array;
  /** For each number, the first row that has it. */
  readonly firstRows: readonly number[];
}

/** Texts are equal if their bytes are. */
export function numberTexts(data: TextData, rows: Uint32Array): TextNumbers {
  const equal = (a: number, b: number) => compareTexts(data, a, data, b) === 0;
  return numbered(data, rows, row => hashOfBytes(data, row), equal);
}

/** Tickers are equal if they differ in case only. */
export function numberTickers(data: TextData, rows: Uint32Array): TextNumbers {
  const equal = (a: number, b: number) => compareTexts(data, a, data, b) === 0 || keyAt(data, a) === keyAt(data, b);
  return numbered(data, rows, row => hashOfTicker(data, row), equal);
}

function numbered(
  { missing }: TextData,
  rows: Uint32Array,
  hashOf: (row: number) => number,
  equal: (a: number, b: number) => boolean,
): TextNumbers {
  // Shared memory, because V8 does not count it: counted, it would cause garbage collections.
  const numbers = sharedCounts(missing.length);
  const firstRows: number[] = [];
  /** By the lower bits of a hash: the latest number with them, plus one. By number: its hash, and the one before it in the same list. */
  const latest = sharedCounts(2 ** Math.ceil(Math.log2(rows.length + 1)));
  const hashes = sharedIntegers(rows.length);
  const before = sharedCounts(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const hash = hashOf(row);
    const list = hash & (latest.length - 1);
    let link = latest[list]!;
    while (link > 0 && !(hashes[link - 1] === hash && equal(firstRows[link - 1]!, row))) link = before[link - 1]!;
    if (link === 0) {
      hashes[firstRows.length] = hash;
      before[firstRows.length] = latest[list]!;
      link = firstRows.push(row);
      latest[list] = link;
    }
    numbers[row] = link - 1;
  }
  return { numbers, firstRows };
}

export function keyAt(tickers: TextData, row: number): string {
  return tickerKey(textAt(tickers, row) ?? '');
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a. */
function hashOfBytes({ bytes, offsets }: TextData, row: number): number {
  let hash = FNV_OFFSET;
  for (let i = offsets[row]!; i < offsets[row + 1]!; i++) hash = Math.imul(hash ^ bytes[i]!, FNV_PRIME);
  return spread(hash);
}

/** The same of a ticker's key, by UTF-16 unit: without allocating a string if all are ASCII. */
export function hashOfTicker(tickers: TextData, row: number): number {
  const { bytes, offsets } = tickers;
  let hash = FNV_OFFSET;
  for (let i = offsets[row]!; i < offsets[row + 1]!; i++) {
    const byte = bytes[i]!;
    if (byte > 127) return hashOfKey(keyAt(tickers, row));
    hash = Math.imul(hash ^ (byte >= 97 && byte <= 122 ? byte - 32 : byte), FNV_PRIME);
  }
  return spread(hash);
}

export function hashOfKey(key: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), FNV_PRIME);
  return spread(hash);
}

/** Mixes the high bits, which FNV-1a mixes better, into the low bits that choose the list. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

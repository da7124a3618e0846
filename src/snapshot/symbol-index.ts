// Finds rows by ticker, ignoring case: a hash table in two flat arrays of shared memory, built once for all threads. In each thread, a
// Map of a million strings would take a hundred megabytes and half a second.

import { tickerKey } from '../domain/asset-state.ts';
import type { SymbolLookup } from './row-indexes.ts';
import { sharedCounts } from './shared-memory.ts';
import type { TextData } from './table.ts';
import { textAt } from './texts.ts';

/** Can be posted to another thread. */
export interface SymbolIndexData {
  /** By hash: row + 1 of the first row, 0 for none. Its length is a power of two. */
  readonly first: Uint32Array<SharedArrayBuffer>;
  /** By row: row + 1 of the next row with the same hash, ascending; 0 for none. */
  readonly next: Uint32Array<SharedArrayBuffer>;
}

export function symbolIndexData(symbols: TextData): SymbolIndexData {
  const rows = symbols.missing.length;
  const first = sharedCounts(2 ** Math.ceil(Math.log2(rows + 1)));
  const next = sharedCounts(rows);
  for (let row = rows - 1; row >= 0; row--) {
    const slot = (hashOfCell(symbols, row) ?? hashOfText(keyAt(symbols, row))) & (first.length - 1);
    next[row] = first[slot]!;
    first[slot] = row + 1;
  }
  return { first, next };
}

export class SymbolIndex implements SymbolLookup {
  readonly #symbols: TextData;
  readonly #data: SymbolIndexData;

  constructor(symbols: TextData, data: SymbolIndexData) {
    this.#symbols = symbols;
    this.#data = data;
  }

  rowsOf(tickers: readonly string[]): Uint32Array {
    const { first, next } = this.#data;
    const rows: number[] = [];
    for (const ticker of tickers) {
      for (let link = first[hashOfText(ticker) & (first.length - 1)]!; link > 0; link = next[link - 1]!) {
        if (keyAt(this.#symbols, link - 1) === ticker) rows.push(link - 1);
      }
    }
    return Uint32Array.from(rows);
  }
}

function keyAt(symbols: TextData, row: number): string {
  return tickerKey(textAt(symbols, row) ?? '');
}

/** FNV-1a of the bytes in upper case, without allocating a string; null unless all are ASCII. */
function hashOfCell({ bytes, offsets }: TextData, row: number): number | null {
  let hash = 0x811c9dc5;
  for (let i = offsets[row]!; i < offsets[row + 1]!; i++) {
    const byte = bytes[i]!;
    if (byte > 127) return null;
    hash = Math.imul(hash ^ (byte >= 97 && byte <= 122 ? byte - 32 : byte), 0x01000193);
  }
  return spread(hash);
}

/** The same of a ticker's key, by UTF-16 unit. */
function hashOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return spread(hash);
}

/** Mixes the high bits, which FNV-1a mixes better, into the low bits that choose the slot. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

// Finds rows by ticker, ignoring case: a hash table in two flat arrays of shared memory, built once for all threads. In each thread, a
// Map of a million strings would take a hundred megabytes and half a second.

import { sharedCounts } from '../columns/shared-memory.ts';
import { hashOfKey, hashOfTicker, keyAt } from '../columns/text-numbers.ts';
import type { SymbolLookup, TextData } from '../table.ts';

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
    const slot = hashOfTicker(symbols, row) & (first.length - 1);
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
      for (let link = first[hashOfKey(ticker) & (first.length - 1)]!; link > 0; link = next[link - 1]!) {
        if (keyAt(this.#symbols, link - 1) === ticker) rows.push(link - 1);
      }
    }
    return Uint32Array.from(rows);
  }
}

// Rows by ticker, upper or lower case: a hash table in two flat arrays, because a Map of a million strings takes a hundred
// megabytes and half a second.

import type { Table, TextData } from '../snapshot/table.ts';
import { foldSymbol } from './fold.ts';
import { TextCells, textColumn } from './text-cells.ts';

export class SymbolIndex {
  readonly #cells: TextCells;
  /** Row + 1 of the first row with a hash; 0: none. */
  readonly #first: Uint32Array;
  /** Row + 1 of the next row with the same hash; 0: none. */
  readonly #next: Uint32Array;

  constructor(data: TextData, rows: number) {
    this.#cells = new TextCells(data);
    this.#first = new Uint32Array(2 ** Math.ceil(Math.log2(rows + 1)));
    this.#next = new Uint32Array(rows);
    for (let row = rows - 1; row >= 0; row--) {
      const slot = this.#slot(hashOfCell(data, row) ?? hashOfText(foldSymbol(this.#cells.at(row))));
      this.#next[row] = this.#first[slot]!;
      this.#first[slot] = row + 1;
    }
  }

  /** Tickers come folded, each once. */
  rowsOf(symbols: readonly string[]): Uint32Array {
    const rows: number[] = [];
    for (const symbol of symbols) {
      for (let link = this.#first[this.#slot(hashOfText(symbol))]!; link > 0; link = this.#next[link - 1]!) {
        if (foldSymbol(this.#cells.at(link - 1)) === symbol) rows.push(link - 1);
      }
    }
    return Uint32Array.from(rows);
  }

  #slot(hash: number): number {
    return hash & (this.#first.length - 1);
  }
}

const indexes = new WeakMap<Table, SymbolIndex>();

/** Made when the first request names a ticker. */
export function symbolIndex(table: Table): SymbolIndex {
  let index = indexes.get(table);
  if (index === undefined) {
    const data = textColumn(table, 'symbol');
    if (data === null) throw new TypeError(`${table.dataset.name} has no tickers`);
    index = new SymbolIndex(data, table.rows);
    indexes.set(table, index);
  }
  return index;
}

/** FNV-1a of the bytes in upper case, without making a string; null unless all are ASCII. */
function hashOfCell({ bytes, offsets }: TextData, row: number): number | null {
  let hash = 0x811c9dc5;
  for (let i = offsets[row]!; i < offsets[row + 1]!; i++) {
    const byte = bytes[i]!;
    if (byte > 127) return null;
    hash = Math.imul(hash ^ (byte >= 97 && byte <= 122 ? byte - 32 : byte), 0x01000193);
  }
  return spread(hash);
}

/** The same of a folded text, by UTF-16 unit. */
function hashOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return spread(hash);
}

/** Brings the high bits, which are the better mixed ones, into the low bits that choose the slot. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

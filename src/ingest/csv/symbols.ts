// Turns the symbol cells of one file into assets, each distinct cell once.

import type { BarBatcher } from './bar-batcher.ts';
import { ByteTable } from './byte-table.ts';
import type { CsvOptions } from './csv-options.ts';
import type { Layout } from './layout.ts';
import { type Instrument, instrumentOf, mayBePair, type PairHints } from './pairs.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export interface GuessedPair {
  readonly text: string;
  /** Of the asset that its bars belong to. */
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
}

export const NO_SYMBOL = { empty: -1, notUtf8: -2, otherAsset: -3, strayQuote: -4 } as const;

export class Symbols {
  readonly #layout: Layout;
  readonly #batcher: BarBatcher;
  readonly #hints: PairHints;
  readonly #cells = new ByteTable();
  readonly #assets = new Map<string, number>();
  /** By the number of a symbol: the asset in the batcher, and the column with its volume. */
  readonly asset: number[] = [];
  readonly volumeColumn: number[] = [];
  /** The symbol that the caller gave for the whole file, -1 without one. */
  readonly #given: number = -1;
  /** Those that were taken for pairs because they look like one. */
  readonly guessedPairs: GuessedPair[] = [];
  /** The first ticker that was not taken for a pair, but may be one. */
  doubtful: string | null = null;

  constructor(layout: Layout, batcher: BarBatcher, options: CsvOptions) {
    this.#layout = layout;
    this.#batcher = batcher;
    this.#hints = {
      pairs: options.pairs ?? (layout.columns.pairs ? true : undefined),
      headerTickers: [...layout.columns.volumeOf.keys()],
    };
    if (options.symbol !== undefined) this.#given = this.#name(options.symbol.trim());
  }

  /** The number of the row's symbol, or one of NO_SYMBOL. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const found = this.#cells.find(bytes, from, to);
    if (this.#given >= 0) return this.#checkOneAsset(found, bytes, from, to);
    return found >= 0 ? found : this.#add(bytes, from, to);
  }

  /** When the caller named the one asset of the file, a second symbol in it would mix the prices of two. */
  #checkOneAsset(found: number, bytes: Uint8Array, from: number, to: number): number {
    if (from === to || found === 0) return this.#given;
    if (this.#cells.size > 0) return NO_SYMBOL.otherAsset;
    this.#cells.add(bytes, from, to);
    return this.#given;
  }

  #add(bytes: Uint8Array, from: number, to: number): number {
    if (from === to) return NO_SYMBOL.empty;
    const text = decoded(bytes, from, to);
    if (text === null) return NO_SYMBOL.notUtf8;
    if (text === '') return NO_SYMBOL.empty;
    // The rest of a quoted cell that began on the line before, not a ticker.
    if (bytes[from - 1] !== 0x22 && text.includes('"')) return NO_SYMBOL.strayQuote;
    this.#cells.add(bytes, from, to);
    return this.#name(text);
  }

  #name(text: string): number {
    const instrument = instrumentOf(text, this.#hints);
    const { symbol, base, guessedQuote } = instrument;
    if (guessedQuote !== null) this.guessedPairs.push({ text, symbol, base, quote: guessedQuote });
    else if (symbol === text && this.#hints.pairs === undefined && mayBePair(text)) this.doubtful ??= text;
    return this.#put(instrument);
  }

  #put({ symbol, base }: Pick<Instrument, 'symbol' | 'base'>): number {
    const { volume, volumeOf } = this.#layout.columns;
    let asset = this.#assets.get(symbol);
    if (asset === undefined) {
      asset = this.#batcher.addAsset({ id: null, symbol });
      this.#assets.set(symbol, asset);
    }
    this.volumeColumn.push(volume >= 0 ? volume : (volumeOf.get(base.toUpperCase()) ?? -1));
    return this.asset.push(asset) - 1;
  }
}

/** Null when the bytes are not UTF-8. */
function decoded(bytes: Uint8Array, from: number, to: number): string | null {
  try {
    const text = UTF8.decode(bytes.subarray(from, to)).trim();
    return bytes[from - 1] === 0x22 ? text.replaceAll('""', '"') : text;
  } catch {
    return null;
  }
}

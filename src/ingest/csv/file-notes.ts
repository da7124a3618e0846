// What a load of CSV files says at its end about all of them: pairs, weekly bars, volumes whose unit is in doubt.

import { isDollar } from '../dollar-quotes.ts';
import type { SourceItem } from '../source.ts';
import type { CsvOptions } from './csv-options.ts';
import { YAHOO_COLUMN } from './file-formats.ts';
import type { Layout } from './layout.ts';
import type { GuessedPair, Symbols } from './symbols.ts';

export class Notes {
  readonly #options: CsvOptions;
  readonly #pairs = new Map<string, GuessedPair>();
  #doubtful: string | null = null;
  #weekly: string | null = null;
  #weeklyFiles = 0;
  #yahoo: string | null = null;

  constructor(options: CsvOptions) {
    this.#options = options;
  }

  add(
    file: string,
    { header, columns }: Layout,
    { guessedPairs, doubtful }: Pick<Symbols, 'guessedPairs' | 'doubtful'>,
    isWeekly: boolean,
  ): void {
    for (const pair of guessedPairs) this.#pairs.set(pair.text, pair);
    this.#doubtful ??= doubtful;
    const isYahoo = columns.volume >= 0 && header?.some(name => YAHOO_COLUMN.test(name.trim())) === true;
    if (isYahoo && this.#options.volumeIn === undefined) this.#yahoo ??= file;
    if (!isWeekly) return;
    this.#weekly ??= file;
    this.#weeklyFiles++;
  }

  *items(): Generator<SourceItem, void, undefined> {
    for (const text of this.#texts()) yield { kind: 'warning', text };
  }

  *#texts(): Generator<string, void, undefined> {
    const [inDollars, others] = [true, false].map(dollars =>
      [...this.#pairs.values()].filter(({ quote }) => isDollar(quote) === dollars),
    ) as [GuessedPair[], GuessedPair[]]; // one list per value
    if (inDollars.length > 0) {
      const read = list(inDollars, ({ text, base }) => `${text} as ${base}`);
      yield `read as prices in dollars: ${read}. If these are tickers and not pairs: --no-pairs`;
    }
    if (others.length > 0) {
      const read = list(others, ({ text, symbol, quote }) => `${text} as ${symbol}, priced in ${quote}`);
      yield `read as pairs that are not priced in dollars, each an asset of its own: ${read}. If these are tickers: --no-pairs`;
    }
    if (this.#doubtful !== null) {
      yield `${this.#doubtful} was taken for a ticker with prices in dollars; if it is a pair, load with --pairs`;
    }
    if (this.#weekly !== null) {
      const more = this.#weeklyFiles > 1 ? ` (and ${this.#weeklyFiles - 1} other files)` : '';
      yield `the bars of ${this.#weekly}${more} are a week apart; they are stored as daily bars, and the days between carry the last close forward`;
    }
    if (this.#yahoo !== null) {
      yield `${this.#yahoo} looks like a file of Yahoo Finance, whose volumes of crypto assets are in dollars: load with --format yahoo, or --volume-in base if they are not`;
    }
  }
}

const SHOWN = 3;

function list(pairs: readonly GuessedPair[], words: (pair: GuessedPair) => string): string {
  const more = pairs.length > SHOWN ? `, and ${pairs.length - SHOWN} others` : '';
  return pairs.slice(0, SHOWN).map(words).join(', ') + more;
}

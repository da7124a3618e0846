// Finding rows of a table: by ticker, by what their texts contain, and by the profile of their asset.

export interface SymbolLookup {
  /** Tickers come as `tickerKey` writes them, each once; the rows of one are ascending. */
  rowsOf(tickers: readonly string[]): Uint32Array;
}

/** Texts come as `foldForSearch` writes them, never empty. */
export interface TextSearch {
  find(wanted: string): SearchMatches;
  /** Writes the rows that contain the text, ascending, and returns their number. Only for what is found distinct; needs no more room than that. */
  list(wanted: string, out: Uint32Array): number;
  /** Of `rows[from … to - 1]` keeps those that contain the text, in their order, from `from` on; returns their end. */
  keep(wanted: string, rows: Uint32Array, from: number, to: number): number;
}

/** What narrows a search down. */
export interface SearchMatches {
  /** Every row that contains the text, and possibly others. */
  readonly rows: Uint32Array;
  /** None is there twice. */
  readonly distinct: boolean;
  /** There are no others. */
  readonly exact: boolean;
}

export type ProfileFact = 'tag' | 'type';

export interface ProfileLookup {
  /** The rows whose asset has one of these tags or types, in upper case. Row r is bit `r % 32` of word `r / 32`. */
  bitmap(fact: ProfileFact, values: readonly string[]): Int32Array;
}

// Finding rows of a table by their texts: by ticker, and by what stands anywhere in them.

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

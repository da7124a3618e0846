// Finding rows of a table by their texts: by ticker, and by what stands anywhere in them.

export interface SymbolLookup {
  /** Tickers come as `tickerKey` writes them, each once; the rows of one are ascending. */
  rowsOf(tickers: readonly string[]): Uint32Array;
}

/** Texts come as `foldForSearch` writes them, never empty. */
export interface TextSearch {
  find(wanted: string): Found;
  /** Of `rows[from … to - 1]` keeps those that contain the text, in their order, from `from` on; returns their end. */
  keep(wanted: string, rows: Uint32Array, from: number, to: number): number;
}

/** What narrows a search down. */
export interface Found {
  /** One or more lists, the shortest first. Each has every row that contains the text, and possibly others. */
  readonly lists: readonly Uint32Array[];
  /** No list has a row twice. */
  readonly distinct: boolean;
  /** The only list has no other rows. */
  readonly exact: boolean;
}

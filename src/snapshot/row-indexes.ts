// Finding rows of a table: by ticker, by what their texts contain, and by the profile of their asset.

export interface SymbolLookup {
  /** Each ticker in the form of `tickerKey`, and once. The rows of one ticker ascend. */
  rowsOf(tickers: readonly string[]): Uint32Array;
}

/** Texts are in the form of `foldForSearch`, and not empty. */
export interface TextSearch {
  find(wanted: string): SearchMatches;
  /** Writes the rows that contain the text, ascending, and returns their number. Only for distinct matches, whose number is enough room. */
  list(wanted: string, out: Uint32Array): number;
  /** Of `rows[from … to - 1]` keeps those that contain the text, in their order, starting at `from`; returns their end. */
  keep(wanted: string, rows: Uint32Array, from: number, to: number): number;
}

/** The candidates of a search. */
export interface SearchMatches {
  /** Every row that contains the text, and possibly others. */
  readonly rows: Uint32Array;
  /** No row occurs twice. */
  readonly distinct: boolean;
  /** Every row contains the text. */
  readonly exact: boolean;
}

export type ProfileFact = 'tag' | 'type';

export interface ProfileLookup {
  /** The rows whose asset has one of these tags or types, in upper case. Row r is bit `r % 32` of word `r / 32`. */
  bitmap(fact: ProfileFact, values: readonly string[]): Int32Array;
  /** The tags or types that any asset has, in upper case. */
  values(fact: ProfileFact): string[];
  /** Each tag or type in upper case, and how many rows of the bitmap have it. */
  counts(fact: ProfileFact, words: Int32Array): Iterable<readonly [value: string, count: number]>;
}

// When two texts count as the same: for the search, and for tickers. Queries and rows go through the same functions.

/** Compatibility forms (full width, ligatures) and upper case make no difference to a search. */
export function foldForSearch(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

export function foldSymbol(text: string): string {
  return text.toUpperCase();
}

// What an alert matched, as the JSON value that both databases store in one column.

import type { Matching } from '../port/alerts.ts';

/** The tickers alone, as before messages were remembered, unless there are such messages. */
type MatchingValue = Matching['symbols'] | Pick<Matching, 'symbols' | 'reported'>;

export function valueOfMatching({ symbols, reported }: Matching): MatchingValue {
  return reported.length === 0 ? symbols : { symbols, reported };
}

/** Null before the first evaluation. */
export function matchingOfValue(version: number | null, value: unknown): Matching | null {
  if (version === null || value === null) return null;
  const stored = value as MatchingValue; // written by `valueOfMatching`
  return 'reported' in stored ? { version, ...stored } : { version, symbols: stored, reported: [] };
}

// The listings that a server computes after each publication, before a client asks for them: `1h,1d/EUR,1h/BTC`.

import { LISTED_INTERVALS, type ListedInterval } from './interval.ts';
import { DOLLAR } from './quote.ts';

export interface KeptListing {
  readonly interval: ListedInterval;
  /** Ticker or id, in upper case; null: dollars. */
  readonly quote: string | null;
}

const ONE = `(?:${LISTED_INTERVALS.join('|')})(?:/[^,/\\s]{1,64})?`;

export const KEPT_LISTINGS_PATTERN: RegExp = new RegExp(`^${ONE}(?:,${ONE})*$`);

/** `text` matches the pattern and is not empty. */
export function parseKeptListings(text: string): KeptListing[] {
  return text.split(',').map(part => {
    const [interval, quote = DOLLAR] = part.split('/');
    const name = quote.toUpperCase();
    return { interval: interval as ListedInterval, quote: name === DOLLAR ? null : name }; // by the pattern
  });
}

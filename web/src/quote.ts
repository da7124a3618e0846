// The quote of all pages: the currency or asset that prices are in, as the address of a page and the API write it.

import { signal } from '@preact/signals';

const DOLLAR = 'USD';

/** Of the page that is shown, by its address. */
export const shownQuote = signal<string>(DOLLAR);

/** Dollars without a name. Tickers are in upper case. */
export function quoteOf(text: string | null): string {
  const name = (text ?? '').trim();
  return name === '' ? DOLLAR : name.toUpperCase();
}

/** As a parameter of the API, which takes dollars without it. */
export function quoteParam(quote: string = shownQuote.value): string | undefined {
  return quote === DOLLAR ? undefined : quote;
}

/** A unit of the catalogue, which is written for dollars: `USD²` is `BTC²`. */
export function unitInQuote(unit: string, quote: string = shownQuote.value): string {
  return unit.replace(/^USD(?=²?$)/, () => quote);
}

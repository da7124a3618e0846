// Which asset a row's symbol means when it names a pair of two.
//
// A price is in dollars when the quote is the dollar or one of its stablecoins; the bar then belongs to the base asset. With any
// other quote (ETC/BTC) the pair becomes an asset of its own, `ETC/BTC`: prices in different currencies are never mixed.

import { DOLLAR_QUOTES, isDollar } from '../dollar-quotes.ts';

/** Other things that prices are quoted in; needed only to take `ETCBTC`, known to be a pair, apart. */
const OTHER_QUOTES: readonly string[] =
  'BTC XBT ETH BNB SOL XRP TRX DOT EUR GBP JPY KRW TRY BRL AUD CAD CHF INR IDR RUB UAH PLN ZAR MXN ARS COP EURC EURI'.split(
    ' ',
  );

// Longest first: FOOFDUSD ends in FDUSD and in USD.
const QUOTES = [...DOLLAR_QUOTES, ...OTHER_QUOTES].sort((a, b) => b.length - a.length);

export interface PairHints {
  /** The symbols are known to be pairs, so that `BTC-USDT` and `BTCUSDT` can be taken apart. */
  readonly pairs: boolean;
  /** Tickers that the header names (`Volume ATOM`, `Volume USDT`), in upper case: what makes `ATOMUSDT` a pair. */
  readonly headerTickers: readonly string[];
}

export interface Instrument {
  /** Of the asset that the bars belong to. */
  readonly symbol: string;
  /** The ticker that volumes are counted in. */
  readonly base: string;
}

/**
 * `BTC/USDT` is a pair by its form. `BTC-USD`, `BTC_USD` and `BTCUSDT` are pairs only where the header or the caller says so,
 * because tickers such as USDT_ETH (the tether on Ethereum), CUSDT and TUSD exist. `BTC/USDT:USDT`, a derivative, stays whole:
 * its price is not that of the coin.
 */
export function instrumentOf(text: string, hints: PairHints): Instrument {
  const pair = slashed(text) ?? separated(text, hints) ?? joined(text, hints);
  if (pair === null) return { symbol: text, base: text };
  const [base, quote] = pair;
  return { symbol: isDollar(quote) ? base : `${base}/${quote}`, base };
}

function slashed(text: string): [string, string] | null {
  const parts = /^([^/]+)\/([^/]+)$/u.exec(text);
  return parts && [parts[1]!.trim(), parts[2]!.trim()];
}

function separated(text: string, hints: PairHints): [string, string] | null {
  const parts = /^([^/_-]+)[_-]([^/_-]+)$/u.exec(text);
  if (parts === null) return null;
  const [base, quote] = [parts[1]!.trim(), parts[2]!.trim()];
  const named = [base, quote].every(ticker => hints.headerTickers.includes(ticker.toUpperCase()));
  return hints.pairs || named ? [base, quote] : null;
}

function joined(text: string, hints: PairHints): [string, string] | null {
  const upper = text.toUpperCase();
  if (upper.length !== text.length || /[/_-]/.test(text)) return null;
  const quotes = hints.pairs ? [...hints.headerTickers, ...QUOTES] : hints.headerTickers;
  for (const quote of quotes) {
    if (!upper.endsWith(quote) || upper.length === quote.length) continue;
    const base = text.slice(0, text.length - quote.length);
    if (hints.pairs || hints.headerTickers.includes(base.toUpperCase())) return [base, text.slice(base.length)];
  }
  return null;
}

/** What a ticker would be as a pair against the dollar, for a hint; null when it does not look like one. */
export function likelyBase(symbol: string): string | null {
  const upper = symbol.toUpperCase();
  const quote = QUOTES.find(each => isDollar(each) && upper.endsWith(each));
  if (quote === undefined) return null;
  const base = symbol.slice(0, -quote.length).replace(/[-_]$/, '');
  return /^[\p{L}\p{N}]{2,}$/u.test(base) ? base : null;
}

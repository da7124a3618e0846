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

/** Longest first: FOOFDUSD ends in FDUSD and in USD. But ARBUSD is rather ARB/USD than AR/BUSD. */
const QUOTES = [...DOLLAR_QUOTES, ...OTHER_QUOTES].sort((a, b) => weight(b) - weight(a));

function weight(quote: string): number {
  return /^.USD$/.test(quote) ? 0 : quote.length;
}

/** Assets of which most pairs against something other than the dollar are made: `ETHBTC` is one, `STETH` and `RENBTC` are assets. */
const OFTEN_TRADED: readonly string[] =
  'BTC XBT ETH BNB SOL XRP ADA DOGE TRX DOT LTC BCH LINK AVAX MATIC POL ATOM ETC XLM XMR XTZ UNI EOS DASH ZEC NEO FIL SHIB TON'.split(
    ' ',
  );

/** Assets that look like pairs against the dollar and are none. */
const NO_PAIRS: readonly string[] = [
  ...DOLLAR_QUOTES,
  'CRVUSD',
  'ALUSD',
  'EUSD',
  'FRAXUSD',
  'SUSDE',
  'SUSDS',
  'USDX',
  'USUSD',
];

export interface PairHints {
  /**
   * True: the symbols are known to be pairs, so that `BTC-USDT` and `BTCUSDT` can be taken apart. False: they are taken as written.
   * Undefined: those that look like pairs are taken for pairs.
   */
  readonly pairs: boolean | undefined;
  /** Tickers that the header names (`Volume ATOM`, `Volume USDT`), in upper case: what makes `ATOMUSDT` a pair. */
  readonly headerTickers: readonly string[];
}

export interface Instrument {
  /** Of the asset that the bars belong to. */
  readonly symbol: string;
  /** The ticker that volumes are counted in. */
  readonly base: string;
  /** Of a pair whose form alone tells that it is one: what its prices are in. Null if it is not a pair, or known to be one. */
  readonly guessedQuote: string | null;
}

/**
 * `BTC/USDT` is a pair by its form. `BTC-USD`, `BTC_USD` and `BTCUSDT` are pairs if the header or the caller says so, or if they look
 * like one: tickers such as USDT_ETH (the tether on Ethereum), STETH, CUSDT and TUSD exist. `BTC/USDT:USDT`, a derivative, stays
 * whole: its price is not that of the coin.
 */
export function instrumentOf(text: string, hints: PairHints): Instrument {
  const known = slashed(text) ?? separated(text, hints) ?? joined(text, hints);
  const pair = known ?? (hints.pairs === undefined ? guessed(text) : null);
  if (pair === null) return { symbol: text, base: text, guessedQuote: null };
  const [base, quote] = pair;
  const symbol = isDollar(quote) ? base : `${base}/${quote}`;
  return { symbol, base, guessedQuote: known === null ? quote : null };
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
  return hints.pairs === true || named ? [base, quote] : null;
}

function joined(text: string, hints: PairHints): [string, string] | null {
  const upper = text.toUpperCase();
  if (upper.length !== text.length || /[/_-]/.test(text)) return null;
  for (const quote of hints.headerTickers) {
    const base = baseOf(upper, quote);
    if (base !== null && (hints.pairs === true || hints.headerTickers.includes(base))) return cut(text, base);
  }
  if (hints.pairs !== true) return null;
  const bases = QUOTES.map(quote => baseOf(upper, quote)).filter(base => base !== null);
  const base = bases.find(each => OFTEN_TRADED.includes(each)) ?? bases[0];
  return base === undefined ? null : cut(text, base);
}

/** What is before the quote; null if the symbol does not end in it. */
function baseOf(symbol: string, quote: string): string | null {
  return symbol.endsWith(quote) && symbol.length > quote.length ? symbol.slice(0, -quote.length) : null;
}

function cut(text: string, base: string): [string, string] {
  return [text.slice(0, base.length), text.slice(base.length)];
}

/** `BTC-USD`, `BTC_USD` and `BTCUSDT` against the dollar; `ETH-BTC`, and `ETHBTC` of two that are often traded. */
function guessed(text: string): [string, string] | null {
  const [, base, sign, quote] = /^([\p{L}\p{N}]+)([_-])([\p{L}\p{N}]+)$/u.exec(text) ?? [];
  if (base !== undefined && quote !== undefined) {
    const isQuote = isDollar(quote) || (sign === '-' && QUOTES.includes(quote.toUpperCase()));
    return isQuote ? [base, quote] : null;
  }
  const upper = text.toUpperCase();
  if (!/^[A-Z0-9]+$/.test(upper) || NO_PAIRS.includes(upper)) return null;
  let found: string | null = null;
  for (const each of QUOTES) {
    const before = baseOf(upper, each);
    if (before === null) continue;
    if (OFTEN_TRADED.includes(before)) return cut(text, before);
    if (before.length >= 2 && isDollar(each)) found ??= before;
  }
  return found === null ? null : cut(text, found);
}

/** Whether a ticker that was not taken for a pair could be one after all. */
export function mayBePair(symbol: string): boolean {
  const upper = symbol.toUpperCase();
  if (NO_PAIRS.includes(upper) || !/^[A-Z0-9]+$/.test(upper)) return false;
  return ['BTC', 'ETH', 'BNB', 'EUR'].some(quote => upper.endsWith(quote) && upper.length - quote.length >= 3);
}

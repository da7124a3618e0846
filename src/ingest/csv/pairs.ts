// Which asset a row's symbol means when it names a pair of two.
//
// A price is in dollars when the quote is the dollar or a stablecoin of it; the bar is then one of the base asset. A price in
// anything else (ETC/BTC) is no price of the base asset in this sense: the pair becomes an asset of its own, `ETC/BTC`, so that
// nothing is lost and nothing wrong is mixed in.

/** The dollar and the stablecoins that are meant to be worth one. */
export const DOLLAR_QUOTES: readonly string[] =
  'USD USDT USDC FDUSD BUSD TUSD USDP PYUSD DAI GUSD USDD USDE USD1 RLUSD USDS PAX USDK HUSD ZUSD'.split(' ');

/** Other things that prices are quoted in; needed only to take `ETCBTC`, known to be a pair, apart. */
const OTHER_QUOTES: readonly string[] =
  'BTC XBT ETH BNB SOL XRP TRX DOT EUR GBP JPY KRW TRY BRL AUD CAD CHF INR IDR RUB UAH PLN ZAR MXN ARS COP EURC EURI'.split(
    ' ',
  );

const DOLLARS = new Set(DOLLAR_QUOTES);
// Longest first: BTCUSDT ends in no USD, but FOOFDUSD ends in USD, too.
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
  return { symbol: DOLLARS.has(quote.toUpperCase()) ? base : `${base}/${quote}`, base };
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

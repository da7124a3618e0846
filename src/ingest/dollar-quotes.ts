// The quote currencies whose prices count as prices in US dollars.

/** The dollar and the stablecoins that are meant to be worth one. */
export const DOLLAR_QUOTES: readonly string[] =
  'USD USDT USDC FDUSD BUSD TUSD USDP PYUSD DAI GUSD USDD USDE USD1 RLUSD USDS PAX USDK HUSD ZUSD'.split(' ');

export function isDollar(quote: string): boolean {
  return DOLLAR_QUOTES.includes(quote.toUpperCase());
}

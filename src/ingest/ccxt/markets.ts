// Which markets of an exchange are pulled: one for each asset.
//
// Spot markets against the given quotes. Where an asset has several, the one that still trades goes before one that does not,
// then the order of the quotes decides; candles of two markets are never mixed. Leveraged tokens (BTC3L, ETHDOWN) are markets of
// their own kind whose price is not that of an asset; they are left out unless they are named.

import { isDollar } from '../dollar-quotes.ts';
import type { AssetRef } from '../source.ts';

/** What ccxt says of a market, as far as it matters here. */
export interface Market {
  /** `BTC/USDT`, in ccxt's unified codes. */
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly spot: boolean;
  /** Undefined where the exchange does not tell. */
  readonly active?: boolean | undefined;
}

export interface Choice {
  /** In order of preference. */
  readonly quotes: readonly string[];
  /** Bases (`BTC`) or markets (`BTC/EUR`, whatever the quotes are); without them, all. */
  readonly symbols?: readonly string[];
}

export interface ChosenMarket {
  readonly symbol: string;
  readonly asset: AssetRef;
  readonly isActive: boolean;
}

export interface Chosen {
  readonly markets: readonly ChosenMarket[];
  /** Names that fit no market. */
  readonly unknown: readonly string[];
}

export function chooseMarkets(all: readonly Market[], choice: Choice): Chosen {
  const spot = all.filter(market => market.spot);
  const quotes = choice.quotes.map(quote => quote.toUpperCase());
  const names = choice.symbols?.map(name => name.toUpperCase());
  const quoted = spot.filter(market => quotes.includes(market.quote.toUpperCase()));
  const candidates =
    names === undefined
      ? withoutLeveraged(quoted, spot)
      : [...quoted.filter(named(names)), ...spot.filter(namedWhole(names))];

  const best = new Map<string, Market>();
  for (const market of candidates) {
    const asset = assetSymbol(market);
    const rival = best.get(asset);
    if (rival === undefined || isBetter(market, rival, quotes)) best.set(asset, market);
  }
  const markets = [...best.entries()]
    .map(([asset, { symbol, active }]) => ({ symbol, asset: { id: null, symbol: asset }, isActive: active !== false }))
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const unknown = names?.filter(
    name => !candidates.some(market => named([name])(market) || namedWhole([name])(market)),
  );
  return { markets, unknown: unknown ?? [] };
}

/** A price in dollars is one of the asset itself; in anything else it is one of the pair, as in files (see csv/pairs.ts). */
function assetSymbol({ base, quote }: Market): string {
  return isDollar(quote) ? base : `${base}/${quote}`;
}

function isBetter(market: Market, rival: Market, quotes: readonly string[]): boolean {
  const [activity, rivalActivity] = [market.active !== false, rival.active !== false];
  if (activity !== rivalActivity) return activity;
  const place = ({ quote }: Market) => {
    const at = quotes.indexOf(quote.toUpperCase());
    return at < 0 ? quotes.length : at;
  };
  return place(market) < place(rival);
}

const named = (names: readonly string[]) => (market: Market) => names.includes(market.base.toUpperCase());
const namedWhole = (names: readonly string[]) => (market: Market) => names.includes(market.symbol.toUpperCase());

const LEVERAGED = /^(.{2,}?)(?:\d+[LS]|UP|DOWN|BULL|BEAR)$/i;

/** Only if what comes before the ending is traded, too: SYRUP and JUP are not leveraged tokens. */
function withoutLeveraged(markets: readonly Market[], all: readonly Market[]): Market[] {
  const bases = new Set(all.map(market => market.base));
  return markets.filter(({ base }) => {
    const underlying = LEVERAGED.exec(base)?.[1];
    return underlying === undefined || !bases.has(underlying);
  });
}

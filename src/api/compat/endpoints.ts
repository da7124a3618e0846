// The endpoints in the shapes of other services, in the order of the reference.

import type { Endpoint, ErrorForm } from '../endpoint.ts';
import { marketChart, marketChartRange, ohlc } from './coingecko/charts.ts';
import { coin } from './coingecko/coin.ts';
import { coinsList } from './coingecko/list.ts';
import { coinsMarkets } from './coingecko/markets.ts';
import { global, search } from './coingecko/overview.ts';
import { ping, simplePrice, supportedCurrencies } from './coingecko/simple.ts';

import { coin as paprikaCoin, coins as paprikaCoins } from './coinpaprika/coins.ts';
import { ohlcvHistory, tickerHistory } from './coinpaprika/history.ts';
import { global as paprikaGlobal, search as paprikaSearch, tags } from './coinpaprika/overview.ts';
import { tickerOfCoin, tickers } from './coinpaprika/tickers.ts';

import { COINGECKO_ERRORS, COINPAPRIKA_ERRORS, UDF_ERRORS } from './error-bodies.ts';
import { pairList } from './freqtrade/pairlist.ts';
import { history } from './udf/history.ts';
import { config, symbols, time, search as udfSearch } from './udf/symbols.ts';

/** The form of errors at a path below those of another service, whether the path exists or not; null for any other path. */
export function errorFormAt(path: string, group: string): ErrorForm | null {
  if (path.startsWith('/coingecko/')) return COINGECKO_ERRORS;
  if (path.startsWith('/coinpaprika/')) return COINPAPRIKA_ERRORS;
  return path.startsWith(`/v1/${group}/udf/`) ? UDF_ERRORS : null;
}

export const COMPAT: readonly Endpoint[] = [
  ping,
  simplePrice,
  supportedCurrencies,
  coinsList,
  coinsMarkets,
  coin,
  marketChart,
  marketChartRange,
  ohlc,
  search,
  global,
  paprikaCoins,
  paprikaCoin,
  tickers,
  tickerOfCoin,
  tickerHistory,
  ohlcvHistory,
  paprikaSearch,
  tags,
  paprikaGlobal,
  pairList,
  config,
  time,
  symbols,
  udfSearch,
  history,
];

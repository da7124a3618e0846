// The endpoints in the shapes of other services, in the order of the reference.

import type { Endpoint } from '../endpoint.ts';
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

import { pairList } from './freqtrade/pairlist.ts';
import { history } from './udf/history.ts';
import { config, symbols, time, search as udfSearch } from './udf/symbols.ts';

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

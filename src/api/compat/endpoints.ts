// The endpoints in the shapes of other services, in the order of the reference.

import type { Endpoint } from '../endpoint.ts';
import { marketChart, marketChartRange, ohlc } from './coingecko/charts.ts';
import { coin } from './coingecko/coin.ts';
import { coinsList } from './coingecko/list.ts';
import { coinsMarkets } from './coingecko/markets.ts';
import { global, search } from './coingecko/overview.ts';
import { ping, simplePrice, supportedCurrencies } from './coingecko/simple.ts';

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
];

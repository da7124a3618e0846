// `market_data` of one coin: each number in each currency.

import { exactly, type JsonObject } from '../../json-schema.ts';
import { NEVER, NUMBER, TIME } from '../schemas.ts';
import type { marketNumbers } from './market-numbers.ts';
import { IN_CURRENCIES } from './values.ts';

const SPANS = ['24h', '7d', '14d', '30d', '60d', '200d', '1y'];

export function marketData(numbers: ReturnType<typeof marketNumbers>, rank: number | null) {
  const usd = <T>(value: T) => ({ usd: value });
  const { price, ath, athChange, athDate, marketCap, turnover, high, low, priceChange, supply, updatedAt } = numbers;
  return {
    current_price: usd(price),
    total_value_locked: null,
    mcap_to_tvl_ratio: null,
    fdv_to_tvl_ratio: null,
    roi: null,
    ath: usd(ath),
    ath_change_percentage: usd(athChange),
    ath_date: usd(athDate),
    atl: usd(null),
    atl_change_percentage: usd(null),
    atl_date: usd(null),
    market_cap: usd(marketCap),
    market_cap_rank: rank,
    fully_diluted_valuation: usd(null),
    market_cap_fdv_ratio: null,
    total_volume: usd(turnover),
    high_24h: usd(high),
    low_24h: usd(low),
    price_change_24h: priceChange,
    ...Object.fromEntries(SPANS.map(span => [`price_change_percentage_${span}`, numbers.change(span)])),
    market_cap_change_24h: null,
    market_cap_change_percentage_24h: null,
    price_change_24h_in_currency: usd(priceChange),
    ...Object.fromEntries(
      ['1h', ...SPANS].map(span => [`price_change_percentage_${span}_in_currency`, usd(numbers.change(span))]),
    ),
    market_cap_change_24h_in_currency: usd(null),
    market_cap_change_percentage_24h_in_currency: usd(null),
    total_supply: null,
    max_supply: null,
    circulating_supply: supply,
    last_updated: updatedAt,
  };
}

const NEVER_KNOWN = [
  'total_value_locked',
  'mcap_to_tvl_ratio',
  'fdv_to_tvl_ratio',
  'roi',
  'market_cap_fdv_ratio',
  'market_cap_change_24h',
  'market_cap_change_percentage_24h',
  'total_supply',
  'max_supply',
];
const IN_EACH_CURRENCY = [
  'current_price',
  'ath',
  'ath_change_percentage',
  'atl',
  'atl_change_percentage',
  'market_cap',
  'fully_diluted_valuation',
  'total_volume',
  'high_24h',
  'low_24h',
  'price_change_24h_in_currency',
  ...['1h', ...SPANS].map(span => `price_change_percentage_${span}_in_currency`),
  'market_cap_change_24h_in_currency',
  'market_cap_change_percentage_24h_in_currency',
];
const NUMBERS = [
  'market_cap_rank',
  'price_change_24h',
  ...SPANS.map(span => `price_change_percentage_${span}`),
  'circulating_supply',
];

export const MARKET_DATA: JsonObject = exactly({
  ...Object.fromEntries(NEVER_KNOWN.map(name => [name, NEVER])),
  ...Object.fromEntries(IN_EACH_CURRENCY.map(name => [name, IN_CURRENCIES])),
  ...Object.fromEntries(NUMBERS.map(name => [name, NUMBER])),
  ath_date: exactly({ usd: TIME }),
  atl_date: exactly({ usd: TIME }),
  last_updated: TIME,
});

// The public addresses of four exchanges, answering in the documented form and with the documented habits.

import type { Answer, Asked, FakeProvider } from './fake-provider.ts';

const DAY = 86_400;

/** Days since 1970, or other periods, and the close of each. */
export type Series = readonly (readonly [period: number, close: number])[];

/** Those of days, or of each interval by its length in seconds. */
export type SeriesOfMarket = Series | Readonly<Record<number, Series>>;

function isDays(series: SeriesOfMarket): series is Series {
  return Array.isArray(series);
}

function seriesOf(series: SeriesOfMarket, seconds: number): Series {
  if (isDays(series)) return seconds === DAY ? series : [];
  return series[seconds] ?? [];
}

/** `1m`, `1h` and `1d` in seconds. */
const SECONDS: Readonly<Record<string, number>> = { '1m': 60, '1h': 3600, '1d': DAY };

/** Answers before the good ones, one for each request. */
export type Trouble = readonly Answer[];

function after(trouble: Trouble, good: (asked: Asked) => Answer): (Answer | ((asked: Asked) => Answer))[] {
  return [...trouble, good];
}

interface BinanceMarket {
  readonly base: string;
  readonly quote: string;
  readonly status?: string;
  readonly series: SeriesOfMarket;
  readonly trouble?: Trouble;
}

/** Klines: at most 1,000 of the oldest from `startTime` on, that day included; numbers as texts. */
export function fakeBinance(provider: FakeProvider, markets: readonly BinanceMarket[], trouble: Trouble = []): object {
  provider.on('/api/v3/exchangeInfo', ...after(trouble, () => ({ json: binanceInfo(markets) })));
  const waiting = new Map(markets.map(market => [market.base + market.quote, [...(market.trouble ?? [])]]));
  provider.on('/api/v3/klines', ({ query }) => {
    const symbol = query.get('symbol') ?? '';
    const problem = waiting.get(symbol)?.shift();
    if (problem !== undefined) return problem;
    const market = markets.find(({ base, quote }) => base + quote === symbol);
    if (market === undefined) return { status: 400, json: { code: -1121, msg: 'Invalid symbol.' } };
    const [start, end] = [Number(query.get('startTime') ?? 0), Number(query.get('endTime') ?? Number.MAX_VALUE)];
    const seconds = SECONDS[query.get('interval') ?? ''];
    if (seconds === undefined) return { status: 400, json: { code: -1120, msg: 'Invalid interval.' } };
    const isWanted = ([period]: Series[number]) => period * seconds * 1000 >= start && period * seconds * 1000 <= end;
    const wanted = seriesOf(market.series, seconds).filter(isWanted);
    const limit = Math.min(Number(query.get('limit') ?? 500), 1000);
    return { json: wanted.slice(0, limit).map(each => kline(each, seconds)) };
  });
  return { api: { public: `${provider.url}/api/v3` } };
}

function binanceInfo(markets: readonly BinanceMarket[]) {
  return {
    timezone: 'UTC',
    serverTime: 1_700_000_000_000,
    rateLimits: [],
    exchangeFilters: [],
    symbols: markets.map(({ base, quote, status = 'TRADING' }) => ({
      symbol: base + quote,
      status,
      baseAsset: base,
      baseAssetPrecision: 8,
      quoteAsset: quote,
      quotePrecision: 8,
      orderTypes: ['LIMIT'],
      isSpotTradingAllowed: true,
      isMarginTradingAllowed: false,
      filters: [{ filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' }],
      permissions: ['SPOT'],
    })),
  };
}

function kline([period, close]: Series[number], seconds: number) {
  const open = period * seconds * 1000;
  const text = close.toFixed(8);
  return [
    open,
    '1.00000000',
    '9.50000000',
    '0.50000000',
    text,
    '12.25000000',
    open + seconds * 1000 - 1,
    '99.0',
    7,
    '1.0',
    '2.0',
    '0',
  ];
}

interface KrakenPair {
  /** Kraken's own names: `XXBTZUSD` for `XBTUSD`. */
  readonly id: string;
  readonly altname: string;
  readonly base: string;
  readonly quote: string;
  readonly series: SeriesOfMarket;
  /** The name in the answer, where it differs. */
  readonly answered?: string;
}

/** OHLC: the 720 newest after `since`, that second excluded; errors come with status 200. */
export function fakeKraken(provider: FakeProvider, pairs: readonly KrakenPair[], trouble: Trouble = []): object {
  const assets = [...new Set(pairs.flatMap(({ base, quote }) => [base, quote]))];
  provider.on('/0/public/Assets', { json: { error: [], result: Object.fromEntries(assets.map(krakenAsset)) } });
  provider.on('/0/public/AssetPairs', { json: { error: [], result: Object.fromEntries(pairs.map(krakenPair)) } });
  const ohlc = ({ query }: Asked): Answer => {
    const pair = pairs.find(({ id, altname }) => [id, altname].includes(query.get('pair') ?? ''));
    if (pair === undefined) return { json: { error: ['EQuery:Unknown asset pair'] } };
    const since = Number(query.get('since') ?? 0);
    const seconds = Number(query.get('interval') ?? 1) * 60;
    const rows = seriesOf(pair.series, seconds)
      .slice(-720)
      .filter(([period]) => period * seconds > since);
    const candles = rows.map(([at, close]) => [at * seconds, '1.0', '9.5', '0.5', String(close), '1.1', '12.25', 7]);
    return { json: { error: [], result: { [pair.answered ?? pair.id]: candles, last: since } } };
  };
  provider.on('/0/public/OHLC', ...after(trouble, ohlc));
  return { api: { public: provider.url } };
}

function krakenAsset(name: string) {
  const altname = /^[XZ]\w{3}$/.test(name) ? name.slice(1) : name;
  return [name, { aclass: 'currency', altname, decimals: 8, display_decimals: 5, status: 'enabled' }] as const;
}

function krakenPair({ id, altname, base, quote }: KrakenPair) {
  const wsname = `${krakenAsset(base)[1].altname}/${krakenAsset(quote)[1].altname}`;
  const decimals = { pair_decimals: 1, lot_decimals: 8, cost_decimals: 5, lot_multiplier: 1 };
  const fees = { fees: [[0, 0.4]], fees_maker: [[0, 0.25]], leverage_buy: [], leverage_sell: [] };
  return [id, { altname, wsname, base, quote, ...decimals, ...fees, ordermin: '0.0001', status: 'online' }] as const;
}

interface CoinbaseProduct {
  readonly id: string;
  readonly series: SeriesOfMarket;
}

/** Candles: only those between `start` and `end`, at most 300 of them, newest first, as [time, low, high, open, close, volume]. */
export function fakeCoinbase(provider: FakeProvider, products: readonly CoinbaseProduct[]): object {
  provider.on('/currencies', { json: [] });
  provider.on('/products', { json: products.map(coinbaseProduct) });
  for (const { id, series } of products) {
    provider.on(`/products/${id}/candles`, ({ query }) => {
      const [start, end] = [query.get('start'), query.get('end')].map(time => Date.parse(time ?? '') / 1000);
      const seconds = Number(query.get('granularity'));
      if (start === undefined || end === undefined || (end - start) / seconds >= 300) {
        return { status: 400, json: { message: 'granularity too small for the requested time range' } };
      }
      const isWanted = ([period]: Series[number]) => period * seconds >= start && period * seconds <= end;
      const wanted = seriesOf(series, seconds).filter(isWanted);
      return { json: wanted.map(([period, close]) => [period * seconds, 0.5, 9.5, 1, close, 12.25]).reverse() };
    });
  }
  return { api: { public: provider.url } };
}

function coinbaseProduct({ id }: CoinbaseProduct) {
  const [base_currency, quote_currency] = id.split('-');
  const increments = { base_increment: '0.00000001', quote_increment: '0.01', min_market_funds: '1' };
  return { id, base_currency, quote_currency, ...increments, status: 'online', trading_disabled: false };
}

/** One market, BTC/USD, without a stream of tickers; the time of a ticker is in whole seconds. */
export function fakeBitstamp(provider: FakeProvider, ticker: () => { readonly last: string }, series: Series): object {
  const market = { name: 'BTC/USD', market_symbol: 'btcusd', base_currency: 'BTC', counter_currency: 'USD' };
  const facts = {
    base_decimals: 8,
    counter_decimals: 0,
    minimum_order_value: '10',
    trading: 'Enabled',
    market_type: 'SPOT',
  };
  provider.on('/api/v2/markets/', { json: [{ ...market, ...facts, description: 'Bitcoin / U.S. dollar' }] });
  provider.on('/api/v2/ticker/', () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const numbers = { high: '9.5', low: '0.5', open: '1', bid: '1', ask: '1', vwap: '1', volume: '12.25' };
    return { json: [{ ...numbers, ...ticker(), timestamp, pair: 'BTC/USD' }] };
  });
  provider.on('/api/v2/ohlc/btcusd/', ({ query }) => {
    const [start, end] = [Number(query.get('start')), Number(query.get('end') ?? Number.MAX_VALUE)];
    const wanted = series.filter(([day]) => day * DAY >= start && day * DAY <= end);
    const candle = { open: '1', high: '9.5', low: '0.5', volume: '12.25' };
    const ohlc = wanted.map(([day, close]) => ({ ...candle, timestamp: String(day * DAY), close: String(close) }));
    return { json: { data: { pair: 'BTC/USD', ohlc } } };
  });
  return { api: { public: `${provider.url}/api` } };
}

// The costliest legal requests of every endpoint with data: a table by the path of its route.

/** Encoded: a plus sign in a query string is a space. */
const LOGARITHMS = Array<string>(60).fill('ln(price)').join('%2B');
const CONDITION = Array.from({ length: 35 }, (_, i) => `ln(price) + ${i} > sma${i % 2 === 0 ? 5 : 50} / 3`).join(
  ' and ',
);

/** Four days, as many as a request may read. */
const EARLIER = [
  'crosses_above(rsi14, rsi21)',
  ...[1, 7, 30, 59].map(days => `ln(price) > ln(lag(sma50, ${days})) + lag(rsi14, ${days})`),
].join(' or ');

const COINS = Array.from({ length: 100 }, (_, i) => `s{asset}${i}`).join();

export interface CostlyRequest {
  readonly name: string;
  readonly path: string;
  /** `{n}` stands for the number of the request, `{asset}` for the number of an asset, `{day}` for a past day, `{hour}` for a past hour. */
  readonly query: string;
  /** Besides the API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as the body of a POST. */
  readonly body?: string;
  /** Read for a moment only. */
  readonly isStream?: boolean;
}

const tool = (name: string, values: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values } });

/** One with a path of its own is a request to that, instead of the path of the entry. */
export type Shape = Omit<CostlyRequest, 'path'> & { readonly path?: string };

/** By the path of the route, without the group. A route for data that has no entry fails the test. */
export const SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  'ta-cur': [
    { name: 'sorted by a computed column', query: `limit=5&calc=x:${LOGARITHMS}%2B{n}&sort=x` },
    { name: 'its last page', query: `limit=5&page=200&calc=x:${LOGARITHMS}%2B{n}&sort=x&order=asc` },
    { name: 'a long condition', query: `limit=5&where=${encodeURIComponent(CONDITION)} and price>{n}e-9` },
    { name: 'the longest page, computed', query: `limit=100000&calc=x:${LOGARITHMS}%2B{n}` },
    { name: 'a past day', query: 'limit=5&as_of={day}' },
    { name: 'a past day with all columns', query: 'limit=5&as_of={day}&incl_cols=all&sort=rsi14' },
    { name: 'with the inactive assets', query: 'limit=5&inactive=true&price={n}e-9:' },
    { name: 'in ten quotes', query: 'limit=5&quote=S{asset}' },
    { name: 'in ten quotes, all columns of past days', query: 'limit=5&quote=S{asset}&as_of={day}&incl_cols=all' },
    { name: 'of four hours, all columns', query: 'limit=5&interval=4h&incl_cols=all&sort=rsi14&price={n}e-9:' },
    { name: 'of minutes', query: 'limit=5&interval=1m&price={n}e-9:' },
    { name: 'of every interval', query: 'limit=5&interval={interval}&incl_cols=all&sort=rsi14' },
    { name: 'of a past hour, in ten quotes', query: 'limit=5&interval=1h&as_of={hour}&quote=S{asset}' },
    { name: 'with four earlier days', query: `limit=5&where=${encodeURIComponent(EARLIER)} or price>{n}e9` },
    { name: 'sorted by columns of the settings', query: `limit=5&incl_cols=own&calc=x:ln(own{own})%2B{n}*own3&sort=x` },
    {
      name: 'the longest page, compressed',
      query: `limit=100000&format=csv&calc=x:${LOGARITHMS}%2B{n}`,
      headers: { 'accept-encoding': 'br' },
    },
    { name: 'the longest page as Arrow', query: 'limit=100000&format=arrow&incl_cols=all&price={n}e-9:' },
    {
      name: 'streams of different queries',
      query: `limit=1000&format=sse&calc=x:${LOGARITHMS}%2B{n}&sort=x`,
      isStream: true,
    },
  ],
  'ta-cur/stats': [
    { name: 'of a computed column', query: `cols=x&bins=100&calc=x:${LOGARITHMS}%2B{n}` },
    {
      name: 'of minutes in ten quotes',
      query: 'cols=price,sma50,vol30&bins=100&interval=1m&quote=S{asset}&price={n}e-9:',
    },
    { name: 'of many columns', query: 'cols=price,change1,change7,change30,sma50,sma200,vol30&bins=100&price={n}e-9:' },
  ],
  'ta-cur/facets': [
    { name: 'of a past hour', query: 'interval=1h&as_of={hour}&price={n}e-9:' },
    { name: 'with a condition', query: `where=${encodeURIComponent(CONDITION)} and price>{n}e-9` },
  ],
  assets: [{ name: 'a search for two letters', query: 'q=s{asset}&limit=9{n}' }],
  closes: [
    {
      name: 'of 100 assets over a year',
      query: `symbol=${Array.from({ length: 100 }, (_, i) => `S{asset}${i}`).join()}&days=366`,
    },
    {
      name: 'of 100 assets by the hour in ten quotes',
      query: `symbol=${Array.from({ length: 100 }, (_, i) => `S{asset}${i}`).join()}&days=366&interval=1h&quote=S{asset}`,
    },
    {
      name: 'of long histories by the minute',
      query: 'symbol=LONG0,LONG1,LONG2,LONG{asset}&days=366&interval=1m&as_of={hour}',
    },
  ],
  'ta-hist': [
    { name: 'of a long history', query: 'symbol=LONG{asset}&limit=1000&sort=rsi14&incl_cols=all&price={n}e-9:' },
    { name: 'of a long history as CSV', query: 'symbol=LONG{asset}&format=csv&incl_cols=all' },
    {
      name: 'of years of hours',
      query: 'symbol=LONG{asset}&interval=1h&limit=1000&sort=rsi14&incl_cols=all&price={n}e-9:',
    },
    {
      name: 'of weeks of minutes, in a quote',
      query: 'symbol=LONG{asset}&interval=1m&quote=LONG0&limit=1000&sort=own1&price={n}e-9:',
    },
  ],
  bars: [
    { name: 'of a long history', query: 'symbol=LONG{asset}&interval=1w&limit=1000&sort=close&close={n}e-9:' },
    { name: 'of weeks of minutes', query: 'symbol=LONG{asset}&interval=5m&limit=1000&sort=close&close={n}e-9:' },
    { name: 'in ten quotes', query: 'symbol=LONG{asset}&quote=S{asset}&limit=1000&close={n}e-12:' },
    { name: 'of one source', query: 'symbol=LONG{asset}&source=csv&limit=1000&close={n}e-9:' },
  ],
  findings: [{ name: 'with a condition', query: `limit=1000&sort=value&where=ln(value)%2B{n}>expected` }],
  actions: [{ name: 'the list', query: 'limit=1000&ratio={n}:' }],
  sources: [{ name: 'of a long history', query: 'symbol=LONG{asset}' }],
  'assets/*': [{ name: 'one after the other', query: '' }],
  '/v1/coins/*': [{ name: 'one after the other', query: '' }],
  'explain/*': [
    { name: 'an average of a long history', query: '' },
    { name: 'on a past day', query: 'as_of={day}' },
    { name: 'of hours in a quote', query: 'interval=1h&quote=LONG0&as_of={hour}' },
    { name: 'of a column of the settings', path: 'explain/LONG{asset}/own1', query: 'as_of={day}' },
  ],
  alerts: [{ name: 'the list', query: '' }],
  'export/*': [
    { name: 'the listing', query: '' },
    { name: 'all bars', path: 'export/bars.parquet', query: '' },
    { name: 'all histories', path: 'export/ta-hist.parquet', query: '' },
  ],
  'export/*/*': [{ name: 'a file that there is not', query: '' }],
  '/coingecko/api/v3/ping': [{ name: 'a text', query: '' }],
  '/coingecko/api/v3/simple/price': [
    { name: 'of many coins', query: `vs_currencies=usd&ids=${COINS}` },
    {
      name: 'of many coins in five currencies',
      query: `vs_currencies=usd,s1,s2,s3,s{asset}&include_market_cap=true&include_24hr_vol=true&ids=${COINS}`,
    },
  ],
  '/coingecko/api/v3/simple/supported_vs_currencies': [{ name: 'the list', query: '' }],
  '/coingecko/api/v3/coins/list': [{ name: 'all coins', query: 'include_platform=true' }],
  '/coingecko/api/v3/coins/markets': [
    { name: 'by id, the last page', query: 'vs_currency=usd&order=id_desc&per_page=250&page=1{asset}{asset}&n={n}' },
    { name: 'with small charts', query: 'vs_currency=usd&sparkline=true&per_page=250&page=1{asset}{asset}&n={n}' },
    { name: 'of many coins', query: `vs_currency=usd&order=volume_asc&n={n}&ids=${COINS}` },
    { name: 'in ten currencies', query: 'vs_currency=s{asset}&sparkline=true&per_page=250&page=1{asset}{asset}&n={n}' },
  ],
  '/coingecko/api/v3/coins/*': [{ name: 'one after the other', query: '' }],
  '/coingecko/api/v3/coins/*/market_chart': [
    { name: 'of a long history', query: 'vs_currency=usd&days=max&n={n}' },
    { name: 'of months of hours', query: 'vs_currency=s{asset}&days=90&interval=hourly&n={n}' },
  ],
  '/coingecko/api/v3/coins/*/market_chart/range': [
    { name: 'of a long history', query: 'vs_currency=usd&from={n}&to=1800000000' },
  ],
  '/coingecko/api/v3/coins/*/ohlc': [{ name: 'of a long history', query: 'vs_currency=usd&days=max&precision=2' }],
  '/coingecko/api/v3/search': [{ name: 'two letters', query: 'query=s{asset}&n={n}' }],
  '/coingecko/api/v3/global': [{ name: 'the sums', query: '' }],
  '/coinpaprika/v1/coins': [{ name: 'all coins', query: '' }],
  '/coinpaprika/v1/coins/*': [{ name: 'one after the other', query: '' }],
  '/coinpaprika/v1/tickers': [
    { name: 'all prices', query: '' },
    { name: 'all prices in two currencies', query: 'quotes=S1,S{asset}' },
  ],
  '/coinpaprika/v1/tickers/*': [{ name: 'one after the other', query: '' }],
  '/coinpaprika/v1/tickers/*/historical': [
    { name: 'of a long history', query: 'start={n}&limit=5000' },
    { name: 'of minutes', query: 'start={day}&limit=5000&interval=5m&n={n}' },
  ],
  '/coinpaprika/v1/coins/*/ohlcv/historical': [{ name: 'of a year', query: 'start={day}&limit=366&n={n}' }],
  '/coinpaprika/v1/search': [{ name: 'two letters', query: 'q=s{asset}&limit=250&n={n}' }],
  '/coinpaprika/v1/tags': [{ name: 'the list', query: '' }],
  '/coinpaprika/v1/global': [{ name: 'the sums', query: '' }],
  'freqtrade/pairlist': [
    { name: 'sorted by a computed column', query: `limit=100000&calc=x:${LOGARITHMS}%2B{n}&sort=x` },
    { name: 'of a past day', query: 'limit=100000&as_of={day}' },
  ],
  'udf/config': [{ name: 'the same for all', query: '' }],
  'udf/time': [{ name: 'a number', query: '' }],
  'udf/symbols': [{ name: 'one after the other', query: 'symbol=LONG{asset}' }],
  'udf/search': [{ name: 'two letters', query: 'query=s{asset}&limit=100&n={n}' }],
  'udf/history': [
    { name: 'of a long history', query: 'symbol=LONG{asset}&resolution=1D&to=1800000000&countback=10{n}' },
    { name: 'of minutes', query: 'symbol=LONG{asset}&resolution=5&to=1900000000&countback=10{n}' },
    { name: 'of weeks', query: 'symbol=LONG{asset}&resolution=1W&from={n}&to=1800000000' },
  ],
  events: [{ name: 'streams', query: '', isStream: true }],
  '/mcp': [
    {
      name: 'a screen',
      query: '',
      body: tool('screen_assets', { where: `${CONDITION} and price > {n}e-9`, limit: 100 }),
    },
    {
      name: 'a screen of hours in ten quotes',
      query: '',
      body: tool('screen_assets', { where: 'price > {n}e-9', interval: '1h', quote: 'S{asset}', limit: 100 }),
    },
    {
      name: 'a history of hours',
      query: '',
      body: tool('get_history', { asset: 'LONG{asset}', interval: '1h', columns: ['rsi14'], limit: 400 }),
    },
    {
      name: 'a history',
      query: '',
      body: tool('get_history', { asset: 'LONG{asset}', columns: ['rsi14'], limit: 400 }),
    },
  ],
};

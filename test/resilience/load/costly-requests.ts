// The costliest legal requests of every endpoint, and a process that floods a server with them as ordinary clients do: one request at
// a time per connection.

import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CostlyFloodOptions, CostlyFloodResult } from './costly-flooder.ts';
import { dataPaths } from './route-flood.ts';

/** Encoded: a plus sign in a query string is a space. */
const LOGARITHMS = Array<string>(60).fill('ln(price)').join('%2B');
const CONDITION = Array.from({ length: 35 }, (_, i) => `ln(price) + ${i} > sma${i % 2 === 0 ? 5 : 50} / 3`).join(
  ' and ',
);

const COINS = Array.from({ length: 100 }, (_, i) => `s{asset}${i}`).join();

export interface CostlyRequest {
  readonly name: string;
  readonly path: string;
  /** `{n}` stands for the number of the request, `{asset}` for the number of an asset, `{day}` for a past day. */
  readonly query: string;
  /** Sent as the body of a POST. */
  readonly body?: string;
  /** Read for a moment only. */
  readonly isStream?: boolean;
}

const tool = (name: string, values: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values } });

/** By the path of the route, without the group. A route for data that has no entry fails the test. */
const SHAPES: Readonly<Record<string, readonly Omit<CostlyRequest, 'path'>[]>> = {
  'ta-cur': [
    { name: 'sorted by a computed column', query: `limit=5&calc=x:${LOGARITHMS}%2B{n}&sort=x` },
    { name: 'its last page', query: `limit=5&page=200&calc=x:${LOGARITHMS}%2B{n}&sort=x&order=asc` },
    { name: 'a long condition', query: `limit=5&where=${encodeURIComponent(CONDITION)} and price>{n}e-9` },
    { name: 'the longest page, computed', query: `limit=100000&calc=x:${LOGARITHMS}%2B{n}` },
    { name: 'a past day', query: 'limit=5&as_of={day}' },
    { name: 'a past day with all columns', query: 'limit=5&as_of={day}&incl_cols=all&sort=rsi14' },
    { name: 'with the inactive assets', query: 'limit=5&inactive=true&price={n}e-9:' },
    { name: 'in other quotes', query: 'limit=5&quote=S{asset}' },
    {
      name: 'streams of different queries',
      query: `limit=1000&format=sse&calc=x:${LOGARITHMS}%2B{n}&sort=x`,
      isStream: true,
    },
  ],
  'ta-cur/stats': [
    { name: 'of a computed column', query: `cols=x&bins=100&calc=x:${LOGARITHMS}%2B{n}` },
    { name: 'of many columns', query: 'cols=price,change1,change7,change30,sma50,sma200,vol30&bins=100&price={n}e-9:' },
  ],
  'ta-cur/facets': [{ name: 'with a condition', query: `where=${encodeURIComponent(CONDITION)} and price>{n}e-9` }],
  assets: [{ name: 'a search for two letters', query: 'q=a{n}&limit=100000' }],
  closes: [
    {
      name: 'of 100 assets over a year',
      query: `symbol=${Array.from({ length: 100 }, (_, i) => `S{asset}${i}`).join()}&days=366`,
    },
  ],
  'ta-hist': [
    { name: 'of a long history', query: 'symbol=LONG{asset}&limit=1000&sort=rsi14&incl_cols=all&price={n}e-9:' },
    { name: 'of a long history as CSV', query: 'symbol=LONG{asset}&format=csv&incl_cols=all' },
  ],
  bars: [
    { name: 'of a long history', query: 'symbol=LONG{asset}&interval=1w&limit=1000&sort=close&close={n}e-9:' },
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
  ],
  alerts: [{ name: 'the list', query: '' }],
  'export/*': [{ name: 'the address of a file', query: '' }],
  'export/*/*': [{ name: 'a file that there is not', query: '' }],
  '/coingecko/api/v3/ping': [{ name: 'a text', query: '' }],
  '/coingecko/api/v3/simple/price': [{ name: 'of many coins', query: `vs_currencies=usd&ids=${COINS}` }],
  '/coingecko/api/v3/simple/supported_vs_currencies': [{ name: 'the list', query: '' }],
  '/coingecko/api/v3/coins/list': [{ name: 'all coins', query: 'include_platform=true' }],
  '/coingecko/api/v3/coins/markets': [
    { name: 'by id, the last page', query: 'vs_currency=usd&order=id_desc&per_page=250&page={n}' },
    { name: 'with small charts', query: 'vs_currency=usd&sparkline=true&per_page=250&page={n}' },
    { name: 'of many coins', query: `vs_currency=usd&order=volume_asc&page={n}&ids=${COINS}` },
  ],
  '/coingecko/api/v3/coins/*': [{ name: 'one after the other', query: '' }],
  '/coingecko/api/v3/coins/*/market_chart': [{ name: 'of a long history', query: 'vs_currency=usd&days=max&n={n}' }],
  '/coingecko/api/v3/coins/*/market_chart/range': [
    { name: 'of a long history', query: 'vs_currency=usd&from={n}&to=1800000000' },
  ],
  '/coingecko/api/v3/coins/*/ohlc': [{ name: 'of a long history', query: 'vs_currency=usd&days=max&precision=2' }],
  '/coingecko/api/v3/search': [{ name: 'two letters', query: 'query=a{n}' }],
  '/coingecko/api/v3/global': [{ name: 'the sums', query: '' }],
  '/coinpaprika/v1/coins': [{ name: 'all coins', query: '' }],
  '/coinpaprika/v1/coins/*': [{ name: 'one after the other', query: '' }],
  '/coinpaprika/v1/tickers': [{ name: 'all prices', query: '' }],
  '/coinpaprika/v1/tickers/*': [{ name: 'one after the other', query: '' }],
  '/coinpaprika/v1/tickers/*/historical': [{ name: 'of a long history', query: 'start={n}&limit=5000' }],
  '/coinpaprika/v1/coins/*/ohlcv/historical': [{ name: 'of a year', query: 'start={day}&limit=366&n={n}' }],
  '/coinpaprika/v1/search': [{ name: 'two letters', query: 'q=a{n}&limit=250' }],
  '/coinpaprika/v1/tags': [{ name: 'the list', query: '' }],
  '/coinpaprika/v1/global': [{ name: 'the sums', query: '' }],
  'freqtrade/pairlist': [
    { name: 'sorted by a computed column', query: `limit=100000&calc=x:${LOGARITHMS}%2B{n}&sort=x` },
    { name: 'of a past day', query: 'limit=100000&as_of={day}' },
  ],
  'udf/config': [{ name: 'the same for all', query: '' }],
  'udf/time': [{ name: 'a number', query: '' }],
  'udf/symbols': [{ name: 'one after the other', query: 'symbol=LONG{asset}' }],
  'udf/search': [{ name: 'two letters', query: 'query=a{n}&limit=100' }],
  'udf/history': [
    { name: 'of a long history', query: 'symbol=LONG{asset}&resolution=1D&to=1800000000&countback=10{n}' },
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
      name: 'a history',
      query: '',
      body: tool('get_history', { asset: 'LONG{asset}', columns: ['rsi14'], limit: 400 }),
    },
  ],
};

/** What `*` stands for. */
const SEGMENTS: Readonly<Record<string, string>> = {
  'assets/*': 'assets/s{asset}-s{asset}',
  '/v1/coins/*': '/v1/coins/s{asset}-s{asset}',
  '/coingecko/api/v3/coins/*': '/coingecko/api/v3/coins/s{asset}',
  '/coingecko/api/v3/coins/*/market_chart': '/coingecko/api/v3/coins/long{asset}/market_chart',
  '/coingecko/api/v3/coins/*/market_chart/range': '/coingecko/api/v3/coins/long{asset}/market_chart/range',
  '/coingecko/api/v3/coins/*/ohlc': '/coingecko/api/v3/coins/long{asset}/ohlc',
  '/coinpaprika/v1/coins/*': '/coinpaprika/v1/coins/s{asset}-s{asset}',
  '/coinpaprika/v1/tickers/*': '/coinpaprika/v1/tickers/s{asset}-s{asset}',
  '/coinpaprika/v1/tickers/*/historical': '/coinpaprika/v1/tickers/long{asset}-long{asset}/historical',
  '/coinpaprika/v1/coins/*/ohlcv/historical': '/coinpaprika/v1/coins/long{asset}-long{asset}/ohlcv/historical',
  'explain/*': 'explain/LONG{asset}/rsi14',
  'export/*': 'export/ta-cur.parquet',
  'export/*/*': 'export/1/ta-cur.parquet',
};

/** Every path for data that the service has, each with its shapes. */
export function costlyRequests(): CostlyRequest[] {
  return dataPaths().flatMap(path => {
    const shapes = SHAPES[path];
    if (shapes === undefined) throw new Error(`${path} has no costly request in this table`);
    const target = SEGMENTS[path] ?? path;
    const whole = target.startsWith('/') ? target : `/v1/crypto/${target}`;
    return shapes.map(shape => ({ ...shape, path: whole }));
  });
}

const FLOODER = join(import.meta.dirname, 'costly-flooder.ts');

/** In a process of the lowest priority, so that it does not delay the clients that are measured. */
export async function floodCostly(options: CostlyFloodOptions): Promise<CostlyFloodResult> {
  const args = ['--disable-warning=ExperimentalWarning', FLOODER];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.stdin.end(JSON.stringify(options));
  return JSON.parse(await text(child.stdout));
}

// Every path for data with its costliest legal requests, and a process that floods a server with them as ordinary clients do: one request at
// a time per connection.

import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CostlyFloodOptions, CostlyFloodResult } from './costly-flooder.ts';
import { type CostlyRequest, SHAPES } from './costly-shapes.ts';
import { dataPaths } from './route-flood.ts';

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
    return shapes.map(shape => ({ ...shape, path: shape.path === undefined ? whole : `/v1/crypto/${shape.path}` }));
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

// `tidemark export --interval`: the bars of every interval in files, against what DuckDB makes of the loaded CSV files.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { MAX_PERIODS } from '../../../src/history/published-series.ts';
import { run } from '../../resilience/faults/loading.ts';
import { duckRows } from '../../support/duckdb.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-export-intervals-'));
const STORE = ['--store', `sqlite:${join(folder, 'store.db')}`];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Around a new year, for the folders of years. */
const START = { minutes: Date.parse('2025-12-31T22:00Z'), hours: Date.parse('2025-12-20T00:00Z') };

/** Some bars are missing. Volumes are whole numbers, which add up alike in any order. */
function file(name: string, symbol: string, start: number, step: number, count: number): string {
  const path = join(folder, name);
  const rows = Array.from({ length: count }, (_, i) => {
    const [open, close] = [100 + (i % 17), 100 + ((i + 1) % 17)];
    const cells = [open, Math.max(open, close) + (i % 3), Math.min(open, close) - (i % 5), close, i % 1000];
    return `${symbol},${new Date(start + i * step).toISOString()},${cells.join()}`;
  });
  const kept = rows.filter((_, i) => i % 11 !== 4 && i % 500 < 400);
  writeFileSync(path, `symbol,time,open,high,low,close,volume\n${kept.join('\n')}\n`);
  return path;
}

async function tidemark(...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(...args, ...STORE);
  assert.equal(code, 0, stdout + stderr);
}

const files = { ETH: '', BTC: '' };
before(async () => {
  files.ETH = file('minutes.csv', 'ETH', START.minutes, MINUTE, 3000);
  files.BTC = file('hours.csv', 'BTC', START.hours, HOUR, 700);
  await tidemark('ingest', 'csv', files.ETH, '--interval', '1m', '--retention-1m', '0');
  await tidemark('ingest', 'csv', files.BTC, '--interval', '1h', '--retention-1h', '0');
});
after(() => rmSync(folder, { recursive: true }));

const NUMBERS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** Start in milliseconds, and the numbers. */
async function aggregated(symbol: keyof typeof files, step: number): Promise<number[][]> {
  const rows = await duckRows(
    `SELECT epoch_ms(time) // ${step} * ${step} AS t, first(open ORDER BY time) AS open, max(high) AS high,
     min(low) AS low, last(close ORDER BY time) AS close, sum(volume) AS volume
     FROM read_csv('${files[symbol]}', types = {'time': 'TIMESTAMP', 'volume': 'DOUBLE'}) GROUP BY t ORDER BY t`,
  );
  assert.ok(rows.length > 1);
  return rows.map(row => [Number(row['t']), ...NUMBERS.map(name => Number(row[name]))]);
}

const STEPS = [
  ['1m', MINUTE],
  ['5m', 5 * MINUTE],
  ['15m', 15 * MINUTE],
  ['30m', 30 * MINUTE],
  ['1h', HOUR],
  ['4h', 4 * HOUR],
  ['12h', 12 * HOUR],
] as const;

describe('a folder of freqtrade', () => {
  for (const [interval, step] of STEPS) {
    it(`has the bars of ${interval}`, async () => {
      const out = join(folder, `freqtrade-${interval}`);
      await tidemark('export', '--layout', 'freqtrade', '--interval', interval, '--out', out);
      const found = readdirSync(out).filter(name => name.endsWith('.feather'));
      // Only one asset has minutes.
      const symbols = step < HOUR ? (['ETH'] as const) : (['BTC', 'ETH'] as const);
      assert.deepEqual(
        found.toSorted(),
        symbols.map(symbol => `${symbol}_USDT-${interval}.feather`),
      );
      for (const symbol of symbols) {
        const table = tableFromIPC(readFileSync(join(out, `${symbol}_USDT-${interval}.feather`)));
        const rows = table.toArray().map(row => ['date', ...NUMBERS].map(name => Number(row[name])));
        assert.deepEqual(rows, await aggregated(symbol, step));
      }
    });
  }
});

describe('a folder of bars', () => {
  const read = (files: string) =>
    duckRows(
      `SELECT symbol, epoch_ms(datetimeUTC::TIMESTAMP) AS t, ${NUMBERS.join()} FROM ${files} ORDER BY symbol, t`,
    );
  const flat = (rows: Awaited<ReturnType<typeof read>>) =>
    rows.map(row => [row['symbol'], ...['t', ...NUMBERS].map(name => Number(row[name]))]);

  for (const [format, interval, step] of [
    ['parquet', '1h', HOUR],
    ['parquet', '4h', 4 * HOUR],
    ['csv', '1h', HOUR],
    ['parquet', '5m', 5 * MINUTE],
    ['csv', '1m', MINUTE],
  ] as const) {
    it(`has ${interval} as ${format}, by year`, async () => {
      const out = join(folder, `${format}-${interval}`);
      await tidemark('export', '--dataset', 'bars', '--format', format, '--interval', interval, '--out', out);
      assert.deepEqual(
        readdirSync(out)
          .filter(name => name.startsWith('year='))
          .toSorted(),
        ['year=2025', 'year=2026'],
      );
      const reader = format === 'csv' ? 'read_csv' : 'read_parquet';
      const found = flat(await read(`${reader}('${out}/*/*.${format}', hive_partitioning = true)`));
      const symbols = step < HOUR ? (['ETH'] as const) : (['BTC', 'ETH'] as const);
      const expected: unknown[][] = [];
      for (const symbol of symbols) expected.push(...(await aggregated(symbol, step)).map(row => [symbol, ...row]));
      assert.deepEqual(found, expected);
    });
  }

  it('has the days that are asked for', async () => {
    const out = join(folder, 'bounded');
    const bounds = ['--from', '2026-01-01', '--to', '2026-01-01'];
    await tidemark('export', '--dataset', 'bars', '--interval', '1h', ...bounds, '--out', out);
    const found = flat(await read(`read_parquet('${out}/*/*.parquet')`));
    const [first, end] = [Date.parse('2026-01-01T00:00Z'), Date.parse('2026-01-02T00:00Z')];
    const expected = (await aggregated('BTC', HOUR)).filter(([t]) => t! >= first && t! < end);
    assert.ok(expected.length > 10);
    assert.deepEqual(
      found.filter(([symbol]) => symbol === 'BTC').map(row => row.slice(1)),
      expected,
    );
  });
});

it('has all minutes, also those that are too old for a history', async () => {
  const store = ['--store', `sqlite:${join(folder, 'long.db')}`];
  const path = join(folder, 'long.csv');
  const [count, first] = [MAX_PERIODS + 5000, Date.parse('2026-01-01T00:00Z')];
  const rows = Array.from({ length: count }, (_, i) => `BTC,${(first + i * MINUTE) / 1000},${i + 1}`);
  writeFileSync(path, `symbol,time,close\n${rows.join('\n')}\n`);
  const kept = ['--interval', '1m', '--retention-1m', '0'];
  assert.equal((await run('ingest', 'csv', path, ...kept, ...store)).code, 0);
  const out = join(folder, 'long');
  assert.equal((await run('export', '--layout', 'freqtrade', '--interval', '1m', '--out', out, ...store)).code, 0);
  const table = tableFromIPC(readFileSync(join(out, 'BTC_USDT-1m.feather')));
  const [date, close] = ['date', 'close'].map(name => table.getChild(name)!);
  assert.equal(table.numRows, count);
  for (let i = 0; i < count; i += 997) {
    assert.deepEqual([Number(date?.get(i)), close?.get(i)], [first + i * MINUTE, i + 1]);
  }
});

it('refuses an interval that the store has no bars of', async () => {
  const store = ['--store', `sqlite:${join(folder, 'days.db')}`];
  const path = join(folder, 'days.csv');
  writeFileSync(path, 'symbol,day,close\nBTC,2026-01-01,1\nBTC,2026-01-02,2\n');
  assert.equal((await run('ingest', 'csv', path, ...store)).code, 0);
  const out = join(folder, 'none');
  const { code, stderr } = await run('export', '--layout', 'freqtrade', '--interval', '1h', '--out', out, ...store);
  assert.equal(code, 1);
  assert.match(stderr, /the store has no bars of 1h/);
});

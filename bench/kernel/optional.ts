// The optional columns against DuckDB, and against TA-Lib if its package for Python is there: every day of many assets, one thread.

import { spawnSync } from 'node:child_process';
import type { DuckDBConnection } from '@duckdb/node-api';
import { OPTIONAL_COMPUTED } from '../../src/domain/catalogue.ts';
import { FIRST_DAY } from '../../src/domain/day.ts';
import type { DailyBars } from '../../src/indicators/calendar.ts';
import type { ColumnTable } from '../../src/indicators/kernel-groups.ts';
import { optionalColumns, optionalTable } from '../../src/indicators/optional.ts';
import type { ReturnSeries } from '../../src/indicators/return-series.ts';
import { benchmarkOf } from '../../src/indicators/return-series.ts';
import { type Contender, comparison, duration, median } from '../report.ts';
import { randomWalks } from './data.ts';
import { loadBars, WINDOW_COLUMNS, WINDOWED_OPTIONAL } from './optional-duckdb.ts';

const [ASSETS, DAYS] = [500, 1_000];
const CHECKED_EVERY = 50;
const AGREEMENT = 1e-9;

/** The columns that TA-Lib has; ours are all of them. The data is made there, because only the time matters. */
const TA_LIB = `
import time, numpy, talib
close = 100 * numpy.exp(numpy.cumsum(numpy.random.default_rng(1).normal(0, 0.04, (${ASSETS}, ${DAYS})), axis=1))
high, low = close * 1.03, close * 0.97
def every_asset():
    for c, h, l in zip(close, high, low):
        for n in (10, 12, 20, 26, 50, 100, 200): talib.EMA(c, n)
        for n in (7, 14, 21): talib.RSI(c, n)
        talib.MACD(c, 12, 26, 9); talib.BBANDS(c, 20, 2, 2); talib.STOCHF(h, l, c, 14, 3); talib.ATR(h, l, c, 14)
        talib.MAX(c, 365); talib.MIN(c, 365)
times = []
for _ in range(5):
    began = time.perf_counter(); every_asset(); times.append(time.perf_counter() - began)
print(sorted(times)[2] * 1000)
`;

/** Largest difference of ours and DuckDB's numbers on some of the assets; relative, or to 1 for columns without a unit of money. */
async function agreement(duckdb: DuckDBConnection, assets: readonly DailyBars[], benchmark: ReturnSeries) {
  let largest = 0;
  for (let asset = 0; asset < assets.length; asset += CHECKED_EVERY) {
    const ours = optionalColumns(assets[asset]!, benchmark);
    const sql = `SELECT ${WINDOW_COLUMNS.join(', ')} FROM result WHERE asset = ${asset} ORDER BY day`;
    const theirs = await (await duckdb.runAndReadAll(sql)).getColumns();
    for (const [c, name] of WINDOW_COLUMNS.entries()) {
      const place = OPTIONAL_COMPUTED.findIndex(column => column.name === name);
      const least = OPTIONAL_COMPUTED[place]!.unit === 'USD' ? 0 : 1;
      for (const [day, a] of ours[place]!.entries()) {
        const b = theirs[c]![day] === null ? Number.NaN : Number(theirs[c]![day]);
        const difference = a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), least);
        if (Number.isNaN(a) !== Number.isNaN(b) || difference > AGREEMENT) {
          throw new Error(`DuckDB disagrees on ${name} of asset ${asset} on day ${day}: ours ${a}, theirs ${b}`);
        }
        if (difference > largest) largest = difference;
      }
    }
  }
  return largest;
}

export async function optionalBench(log: (text: string) => void): Promise<string> {
  log(`optional columns of ${ASSETS} assets × ${DAYS} days`);
  const { closes } = randomWalks(ASSETS, DAYS);
  const assets = Array.from({ length: ASSETS }, (_, i): DailyBars => {
    const own = closes.subarray(i * DAYS, (i + 1) * DAYS);
    const [highs, lows] = [own.map(close => close * 1.03), own.map(close => close * 0.97)];
    return { firstDay: FIRST_DAY, closes: own, opens: own, highs, lows, volumes: own };
  });
  const benchmark = benchmarkOf(assets[0]!);
  const [last, every] = [optionalTable(1), optionalTable(DAYS)];
  const all = `all ${OPTIONAL_COMPUTED.length} columns`;
  const everyAsset = (first: number, table: ColumnTable) =>
    median(3, () => {
      for (const bars of assets) optionalColumns(bars, benchmark, first, table);
    });
  const contenders: Contender[] = [
    { name: `**Tidemark**, ${all}, every day`, millis: everyAsset(0, every) },
    { name: `Tidemark, ${all}, the last day`, millis: everyAsset(DAYS - 1, last) },
  ];
  const duckdb = await loadBars(assets);
  const began = performance.now();
  await duckdb.run(`CREATE TABLE result AS ${WINDOWED_OPTIONAL}`);
  const name = `DuckDB, window functions, the ${WINDOW_COLUMNS.length} columns that they can express, every day`;
  contenders.push({ name, millis: performance.now() - began });
  log(`${name}: ${duration(performance.now() - began)}`);
  const difference = await agreement(duckdb, assets, benchmark);
  duckdb.closeSync();
  const python = process.env['TIDEMARK_PYTHON'] ?? 'python3';
  const { status, stdout } = spawnSync(python, ['-c', TA_LIB], { encoding: 'utf8' });
  if (status === 0) contenders.push({ name: 'TA-Lib, the 20 columns that it has, every day', millis: Number(stdout) });
  else log(`${python} has no TA-Lib: pip install TA-Lib`);
  return `### (c) The optional columns: ${ASSETS} assets × ${DAYS.toLocaleString('en')} days, one thread

${comparison(contenders)}

The numbers of DuckDB were compared on each day of ${Math.ceil(ASSETS / CHECKED_EVERY)} of the assets; the largest relative difference is ${difference.toExponential(1)}. TA-Lib computes with doubles alone; here, MACD always and Bollinger bands, beta and correlation where digits cancel run in double-double arithmetic to keep 12 digits.`;
}

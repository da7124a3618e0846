// The optional columns that SQL window functions can express, computed by DuckDB in this process on one thread. Recursions (EMA, MACD,
// RSI, ATR) and drawdowns have no window function.

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DailyBars } from '../../src/indicators/calendar.ts';

/** Each column as an expression over `windows` below, and the first day on which its window is full. */
const COLUMNS = {
  turnover: ['turnover', 0],
  turnover30: ['turnover30', 29],
  zscore20: ['(close - mean20) / sigma20', 19],
  bb20_upper: ['mean20 + 2 * sigma20', 19],
  bb20_lower: ['mean20 - 2 * sigma20', 19],
  bb20_pct: ['(close - mean20 + 2 * sigma20) / (4 * sigma20)', 19],
  bb20_width: ['4 * sigma20 / mean20', 19],
  stoch14: ['stoch14', 13],
  stoch14_d: ['avg(stoch14) OVER (PARTITION BY asset ORDER BY day ROWS 2 PRECEDING)', 15],
  sharpe90: ['mean90 / sigma90 * sqrt(365)', 90],
  sharpe365: ['mean365 / sigma365 * sqrt(365)', 365],
  beta90: ['beta90', 90],
  corr90: ['corr90', 90],
  max365: ['max365', 364],
  min365: ['min365', 364],
  from_max365: ['(close - max365) / max365 * 100', 364],
  from_min365: ['(close - min365) / min365 * 100', 364],
  ath: ['ath', 0],
  from_ath: ['(close - ath) / ath * 100', 0],
} as const satisfies Readonly<Record<string, readonly [expression: string, firstDay: number]>>;

export const WINDOW_COLUMNS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]; // keys of a literal

const over = (days: number) => `OVER (PARTITION BY asset ORDER BY day ROWS ${days - 1} PRECEDING)`;

/** Every day of every asset. The benchmark is the asset 0. */
export const WINDOWED_OPTIONAL = `
  WITH returns AS (SELECT *, ln(close / lag(close) OVER (PARTITION BY asset ORDER BY day)) AS r FROM bars),
  joined AS (SELECT returns.*, benchmark.r AS b FROM returns JOIN returns AS benchmark ON benchmark.day = returns.day AND benchmark.asset = 0),
  windows AS (
    SELECT asset, day, close, volume * close AS turnover, avg(volume * close) ${over(30)} AS turnover30,
      avg(close) ${over(20)} AS mean20, stddev_pop(close) ${over(20)} AS sigma20,
      (close - min(low) ${over(14)}) / (max(high) ${over(14)} - min(low) ${over(14)}) * 100 AS stoch14,
      avg(r) ${over(90)} AS mean90, stddev_samp(r) ${over(90)} AS sigma90,
      avg(r) ${over(365)} AS mean365, stddev_samp(r) ${over(365)} AS sigma365,
      regr_slope(r, b) ${over(90)} AS beta90, corr(r, b) ${over(90)} AS corr90,
      max(close) ${over(365)} AS max365, min(close) ${over(365)} AS min365,
      max(close) OVER (PARTITION BY asset ORDER BY day) AS ath
    FROM joined)
  SELECT asset, day, ${WINDOW_COLUMNS.map(name => `CASE WHEN day >= ${COLUMNS[name][1]} THEN ${COLUMNS[name][0]} END AS ${name}`).join(', ')}
  FROM windows`;

export async function loadBars(assets: readonly DailyBars[]): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(
    'CREATE TABLE bars (asset INTEGER, day INTEGER, close DOUBLE, high DOUBLE, low DOUBLE, volume DOUBLE)',
  );
  const appender = await connection.createAppender('bars');
  for (const [asset, { closes, highs, lows, volumes }] of assets.entries()) {
    for (let day = 0; day < closes.length; day++) {
      appender.appendInteger(asset);
      appender.appendInteger(day);
      for (const numbers of [closes, highs, lows, volumes]) appender.appendDouble(numbers[day]!);
      appender.endRow();
    }
  }
  appender.closeSync();
  return connection;
}

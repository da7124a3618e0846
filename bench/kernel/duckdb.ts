// The indicators in SQL, which DuckDB computes in this process on one thread: what the kernels are compared with.

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { INDICATORS } from '../../src/domain/catalogue.ts';
import type { IndicatorColumn } from '../../src/domain/columns.ts';
import type { CloseBatch } from '../../src/indicators/engine.ts';

export async function loadDuckDB({ closes, starts }: CloseBatch): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run('CREATE TABLE closes (asset INTEGER, day INTEGER, close DOUBLE)');
  const appender = await connection.createAppender('closes');
  for (let asset = 0; asset + 1 < starts.length; asset++) {
    for (let i = starts[asset]!; i < starts[asset + 1]!; i++) {
      appender.appendInteger(asset);
      appender.appendInteger(i - starts[asset]!);
      appender.appendDouble(closes[i]!);
      appender.endRow();
    }
  }
  appender.closeSync();
  return connection;
}

function windowExpression({ kind, window, name }: IndicatorColumn): string {
  const frame = `OVER (PARTITION BY asset ORDER BY day ROWS BETWEEN ${window - 1} PRECEDING AND CURRENT ROW)`;
  switch (kind) {
    case 'change':
      return `(close / lag(close, ${window}) OVER (PARTITION BY asset ORDER BY day) - 1) * 100 AS ${name}`;
    case 'sma':
      return `avg(close) ${frame} AS ${name}`;
    case 'var':
      return `var_pop(close) ${frame} AS ${name}`;
    case 'vol':
      return `coalesce(stddev_samp(log_return) ${frame}, 0) * sqrt(365) * 100 AS ${name}`;
  }
}

/** Every column of every day by window functions. */
export const WINDOWED = `
  SELECT asset, day, ${INDICATORS.map(windowExpression).join(', ')}
  FROM (SELECT *, ln(close / lag(close) OVER (PARTITION BY asset ORDER BY day)) AS log_return FROM closes)`;

function filteredExpression({ kind, window, name }: IndicatorColumn): string {
  switch (kind) {
    case 'change':
      return `(max(close) FILTER (age = 0) / max(close) FILTER (age = ${window}) - 1) * 100 AS ${name}`;
    case 'sma':
      return `avg(close) FILTER (age < ${window}) AS ${name}`;
    case 'var':
      return `var_pop(close) FILTER (age < ${window}) AS ${name}`;
    case 'vol':
      return `coalesce(stddev_samp(log_return) FILTER (age < ${window}), 0) * sqrt(365) * 100 AS ${name}`;
  }
}

/** The last day only, by one aggregation: as an expert in DuckDB would write it. */
export function filteredAggregates(lastDay: number): string {
  return `
  SELECT asset, ${INDICATORS.map(filteredExpression).join(', ')}
  FROM (SELECT asset, close, ${lastDay} - day AS age,
               ln(close / lag(close) OVER (PARTITION BY asset ORDER BY day)) AS log_return FROM closes)
  GROUP BY asset`;
}

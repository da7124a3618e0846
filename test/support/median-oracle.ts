// Random bars of several sources, and what DuckDB serves of them by the median.

import { DuckDBInstance } from '@duckdb/node-api';
import { BAR_NUMBERS, firstBars, type SourceBars, sourceBars } from '../../src/domain/source-bars.ts';
import type { Chance } from '../contract/query/chance.ts';

export type Numbers = Readonly<Record<(typeof BAR_NUMBERS)[number], number>>;

/** Sources with holes, unknown numbers, equal prices, and volumes (whole multiples of `unit`) that often are in balance. */
export function randomSources(chance: Chance, unit: number, count = 5, periods = 400): SourceBars[] {
  const scale = 10 ** (chance.below(12) - 6);
  return Array.from({ length: count }, (_, source) => {
    const bars = sourceBars(`s${source}`, periods);
    const [holes, unknown] = [chance.next() * 0.5, chance.next() * 0.3];
    let bar = 0;
    for (let period = 0; period < periods; period++) {
      if (chance.happens(holes)) continue;
      const price = () => scale * (chance.happens(0.5) ? 1 + chance.below(4) : 1 + chance.next());
      bars.period[bar] = period;
      bars.close[bar] = price();
      for (const name of ['open', 'high', 'low'] as const) if (!chance.happens(unknown)) bars[name][bar] = price();
      if (!chance.happens(unknown / 4)) bars.volume[bar] = chance.below(chance.happens(0.7) ? 4 : 1000) * unit;
      bar++;
    }
    return firstBars(bars, bar);
  });
}

/** The served bars, by `asset period`: `assets[asset]` has the sources of an asset. The volumes must be whole numbers. */
export async function medianInDuckDb(assets: readonly (readonly SourceBars[])[]): Promise<Map<string, Numbers>> {
  const expected = new Map<string, Numbers>();
  const duckdb = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await duckdb.run(
    'CREATE TABLE bars (asset INT, period INT, open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, volume DOUBLE)',
  );
  const appender = await duckdb.createAppender('bars');
  for (const [asset, sources] of assets.entries()) {
    for (const bars of sources) {
      for (const [i, period] of bars.period.entries()) {
        appender.appendInteger(asset);
        appender.appendInteger(period);
        for (const name of BAR_NUMBERS) {
          if (Number.isNaN(bars[name][i]!)) appender.appendNull();
          else appender.appendDouble(bars[name][i]!);
        }
        appender.endRow();
      }
    }
  }
  appender.closeSync();
  for (const row of (await duckdb.runAndReadAll(SERVED)).getRowObjects()) {
    const number = (name: string) => (row[name] === null ? Number.NaN : Number(row[name]));
    const [open, high, low, close] = ['open', 'high', 'low', 'close'].map(number) as [number, number, number, number];
    expected.set(`${row['asset']} ${row['period']}`, { open, high, low, close, volume: number('volume') });
  }
  duckdb.closeSync();
  return expected;
}

/** The volumes are whole numbers, so that DuckDB adds them without rounding. */
const medianSql = (name: string) => `
  SELECT asset, period, (min(x) FILTER (2 * upTo >= total) + max(x) FILTER (2 * fromOn >= total)) / 2 AS ${name}
  FROM (
    SELECT asset, period, x, weight,
      sum(weight) OVER (PARTITION BY asset, period ORDER BY x RANGE UNBOUNDED PRECEDING) AS upTo,
      sum(weight) OVER (PARTITION BY asset, period ORDER BY x DESC RANGE UNBOUNDED PRECEDING) AS fromOn,
      sum(weight) OVER (PARTITION BY asset, period) AS total
    FROM (
      SELECT asset, period, ${name} AS x,
        CASE WHEN bool_or(volume IS NULL) OVER cell OR max(volume) OVER cell = 0 THEN 1 ELSE volume::BIGINT END AS weight
      FROM bars WHERE ${name} IS NOT NULL WINDOW cell AS (PARTITION BY asset, period)
    )
  )
  WHERE weight > 0 GROUP BY asset, period`;
// greatest() and least() pass over nulls, so that a missing median stays missing only by the CASE.
const SERVED = `
  SELECT asset, period, open, close, volume,
    CASE WHEN high IS NULL OR bars = 1 THEN high ELSE greatest(high, open, close) END AS high,
    CASE WHEN low IS NULL OR bars = 1 THEN low ELSE least(low, open, close) END AS low
  FROM (SELECT asset, period, count(*) AS bars, sum(volume) AS volume FROM bars GROUP BY ALL)
  LEFT JOIN (${medianSql('open')}) USING (asset, period)
  LEFT JOIN (${medianSql('high')}) USING (asset, period)
  LEFT JOIN (${medianSql('low')}) USING (asset, period)
  LEFT JOIN (${medianSql('close')}) USING (asset, period)`;

// The optional columns of the catalogue that are computed from the bars of an asset: all but those that depend on its current facts.

import { FIRST_DAY } from '../domain/day.ts';
import { OPTIONAL_COLUMNS, type OptionalColumnName } from '../domain/optional-columns.ts';
import { checkCloses, type DailyBars, type DailySeries } from './calendar.ts';
import { atr } from './kernels/atr.ts';
import { beta, type ReturnSeries } from './kernels/beta.ts';
import { bollinger } from './kernels/bollinger.ts';
import { percentChange } from './kernels/change.ts';
import { maxDrawdown } from './kernels/drawdown.ts';
import { ema } from './kernels/ema.ts';
import { allTimeHigh, extremes } from './kernels/extremes.ts';
import { logReturns } from './kernels/log-return.ts';
import { macd } from './kernels/macd.ts';
import { rsi } from './kernels/rsi.ts';
import { sharpe } from './kernels/sharpe.ts';
import { stochastic } from './kernels/stochastic.ts';
import { turnover } from './kernels/turnover.ts';

export type ComputedName = Exclude<OptionalColumnName, 'rank' | 'supply' | 'market_cap'>;

/** In catalogue order. */
export const COMPUTED_NAMES: readonly ComputedName[] = OPTIONAL_COLUMNS.filter(column => !('current' in column)).map(
  ({ name }) => name as ComputedName, // the others have `current`
);

/** NaN is null. `ath_at` holds days since 1970-01-01. */
export type OptionalTable = Readonly<Record<ComputedName, Float64Array>>;

export function optionalTable(rows: number): OptionalTable {
  const entries = COMPUTED_NAMES.map(name => [name, new Float64Array(rows)]);
  return Object.fromEntries(entries) as OptionalTable; // fromEntries forgets the names
}

/**
 * The values of the days `first …`, each computed from the bars up to that day alone: later days never change a row. Recursions
 * start at the first close, so `bars` are all that the asset has; `first` only decides which days are written.
 */
export function optionalColumns(
  bars: DailyBars,
  benchmark: ReturnSeries | null,
  first: number = 0,
  out: OptionalTable = optionalTable(bars.closes.length - first),
): OptionalTable {
  const { closes, firstDay } = bars;
  checkCloses(closes, 0, closes.length);

  out.open.set(bars.opens.subarray(first));
  out.high.set(bars.highs.subarray(first));
  out.low.set(bars.lows.subarray(first));
  out.volume.set(bars.volumes.subarray(first));
  turnover(bars, 30, first, [out.turnover, out.turnover30]);
  for (let day = first; day < closes.length; day++) out.history[day - first] = day + 1;

  ema(closes, 10, first, out.ema10);
  ema(closes, 12, first, out.ema12);
  ema(closes, 20, first, out.ema20);
  ema(closes, 26, first, out.ema26);
  ema(closes, 50, first, out.ema50);
  ema(closes, 100, first, out.ema100);
  ema(closes, 200, first, out.ema200);
  macd(closes, first, [out.macd, out.macd_signal, out.macd_hist]);

  rsi(closes, 7, first, out.rsi7);
  rsi(closes, 14, first, out.rsi14);
  rsi(closes, 21, first, out.rsi21);
  bollinger(closes, 20, first, [out.zscore20, out.bb20_upper, out.bb20_lower, out.bb20_pct, out.bb20_width]);
  stochastic(bars, 14, first, [out.stoch14, out.stoch14_d]);

  atr(bars, 14, first, out.atr14);
  maxDrawdown(closes, 30, first, out.mdd30);
  maxDrawdown(closes, 90, first, out.mdd90);
  maxDrawdown(closes, 365, first, out.mdd365);
  const returns = dailyReturns(closes);
  sharpe(closes, returns, 90, first, out.sharpe90);
  sharpe(closes, returns, 365, first, out.sharpe365);
  beta({ firstDay, closes, returns }, benchmark ?? NO_BENCHMARK, 90, first, [out.beta90, out.corr90]);

  extremes(closes, 365, first, [out.max365, out.min365]);
  allTimeHigh(closes, first, [out.ath, out.ath_at]);
  for (let row = 0; row < closes.length - first; row++) {
    const close = closes[first + row]!;
    out.from_max365[row] = percentChange(close, out.max365[row]!);
    out.from_min365[row] = percentChange(close, out.min365[row]!);
    out.from_ath[row] = percentChange(close, out.ath[row]!);
    out.ath_at[row]! += firstDay;
  }
  return out;
}

/** The series that betas and correlations refer to, its returns computed once for all assets. */
export function benchmarkOf({ firstDay, closes }: DailySeries): ReturnSeries {
  return { firstDay, closes, returns: dailyReturns(closes) };
}

const NO_BENCHMARK: ReturnSeries = { firstDay: FIRST_DAY, closes: new Float64Array(), returns: new Float64Array() };

/** The log return of each day from the day before; none on the first. */
function dailyReturns(closes: Float64Array): Float64Array {
  const returns = new Float64Array(closes.length);
  logReturns(closes, 0, closes.length - 1, returns.subarray(1));
  return returns;
}

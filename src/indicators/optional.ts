// The optional columns of the catalogue that are computed from the bars of an asset: all but those that depend on its current facts.

import type { Steps } from '../common/steps.ts';
import { FIRST_DAY } from '../domain/day.ts';
import { checkCloses, type DailyBars, type DailySeries } from './calendar.ts';
import { beta, type ReturnSeries } from './kernels/beta.ts';
import { bollinger } from './kernels/bollinger.ts';
import { percentChange } from './kernels/change.ts';
import { maxDrawdown } from './kernels/drawdown.ts';
import { extremes } from './kernels/extremes.ts';
import { logReturns } from './kernels/log-return.ts';
import { sharpe } from './kernels/sharpe.ts';
import { stochastic } from './kernels/stochastic.ts';
import { turnover } from './kernels/turnover.ts';
import { type OptionalTable, optionalTable } from './optional-table.ts';
import { Recursions } from './recursions.ts';

/** What a computation continues from, instead of starting at the first close. */
export interface Continued {
  /** Days of the asset before the first of the bars. */
  readonly skipped: number;
  /** The state after the day `bars[at]`. */
  readonly state: Float64Array;
  readonly at: number;
}

/**
 * The values of the days `first …`, each computed from the bars up to that day alone: later days never change a row. Recursions
 * start at the first close, so `bars` are all that the asset has; `first` only decides which days are written. A computation that is
 * continued needs the days since its state, and those of the longest windows before `first`: the bits are the same. `saved` gets the
 * state after the last day but one, to continue from: the last day is often replaced, and then is computed again.
 */
export function optionalColumns(
  bars: DailyBars,
  benchmark: ReturnSeries | null,
  first: number = 0,
  out: OptionalTable = optionalTable(bars.closes.length - first),
  continued: Continued | null = null,
  saved: Float64Array | null = null,
): OptionalTable {
  startOptional(bars, first, out, continued, saved);
  oscillators(bars, first, out);
  drawdowns(bars, first, out);
  risks(bars, benchmark, first, out);
  ranges(bars, first, out, continued?.skipped ?? 0);
  return out;
}

/** The same for every day, in steps. */
export function* optionalHistoryInSteps(
  bars: DailyBars,
  benchmark: ReturnSeries | null,
  out: OptionalTable,
): Steps<void> {
  startOptional(bars, 0, out, null, null);
  yield;
  oscillators(bars, 0, out);
  yield;
  drawdowns(bars, 0, out);
  yield;
  risks(bars, benchmark, 0, out);
  yield;
  ranges(bars, 0, out, 0);
}

/** What the source gives, and what continues from state. */
function startOptional(
  bars: DailyBars,
  first: number,
  out: OptionalTable,
  continued: Continued | null,
  saved: Float64Array | null,
): void {
  const { closes } = bars;
  if (continued === null) checkCloses(closes, 0, closes.length);
  const skipped = continued?.skipped ?? 0;
  copy(bars.opens, first, out.open);
  copy(bars.highs, first, out.high);
  copy(bars.lows, first, out.low);
  copy(bars.volumes, first, out.volume);
  turnover(bars, 30, first, [out.turnover, out.turnover30]);
  for (let day = first; day < closes.length; day++) out.history[day - first] = skipped + day + 1;

  recursive(bars, first, out, continued, saved);
}

function oscillators(bars: DailyBars, first: number, out: OptionalTable): void {
  const { closes } = bars;
  bollinger(closes, 20, first, [out.zscore20, out.bb20_upper, out.bb20_lower, out.bb20_pct, out.bb20_width]);
  stochastic(bars, 14, first, [out.stoch14, out.stoch14_d]);
}

function drawdowns({ closes }: DailyBars, first: number, out: OptionalTable): void {
  maxDrawdown(closes, 30, first, out.mdd30);
  maxDrawdown(closes, 90, first, out.mdd90);
  maxDrawdown(closes, 365, first, out.mdd365);
}

function risks(
  { firstDay, closes }: DailyBars,
  benchmark: ReturnSeries | null,
  first: number,
  out: OptionalTable,
): void {
  const returns = dailyReturns(closes, scratchFor(closes.length));
  sharpe(closes, returns, 90, first, out.sharpe90);
  sharpe(closes, returns, 365, first, out.sharpe365);
  beta({ firstDay, closes, returns }, benchmark ?? NO_BENCHMARK, 90, first, [out.beta90, out.corr90]);
}

function ranges({ firstDay, closes }: DailyBars, first: number, out: OptionalTable, skipped: number): void {
  extremes(closes, 365, first, [out.max365, out.min365]);
  for (let row = 0; row < closes.length - first; row++) {
    const close = closes[first + row]!;
    out.from_max365[row] = percentChange(close, out.max365[row]!);
    out.from_min365[row] = percentChange(close, out.min365[row]!);
    out.from_ath[row] = percentChange(close, out.ath[row]!);
    out.ath_at[row]! += firstDay - skipped;
  }
}

const recursions = new Recursions();
export const STATE_SIZE: number = recursions.size;

function recursive(
  bars: DailyBars,
  first: number,
  out: OptionalTable,
  continued: Continued | null,
  saved: Float64Array | null,
): void {
  const [skipped, last] = [continued?.skipped ?? 0, bars.closes.length - 1];
  if (continued === null) recursions.start();
  else recursions.load(continued.state);
  if (saved !== null && last === (continued?.at ?? -1) + 1) recursions.save(saved);
  for (let at = (continued?.at ?? -1) + 1; at <= last; at++) {
    recursions.step(skipped + at, bars, at);
    if (at >= first) recursions.write(skipped + at, out, at - first);
    if (saved !== null && at === last - 1) recursions.save(saved);
  }
}

/** In a loop: for the last day alone, `set` and `subarray` would take longer than all else. */
function copy(values: Float64Array, first: number, out: Float64Array): void {
  for (let day = first; day < values.length; day++) out[day - first] = values[day]!;
}

let scratch = new Float64Array(512);

function scratchFor(length: number): Float64Array {
  if (scratch.length < length) scratch = new Float64Array(length);
  return scratch;
}

/** The series that betas and correlations refer to, its returns computed once for all assets. */
export function benchmarkOf({ firstDay, closes }: DailySeries): ReturnSeries {
  return { firstDay, closes, returns: dailyReturns(closes, new Float64Array(closes.length)) };
}

const NO_BENCHMARK: ReturnSeries = { firstDay: FIRST_DAY, closes: new Float64Array(), returns: new Float64Array() };

/** The log return of each day from the day before; none on the first. */
function dailyReturns(closes: Float64Array, returns: Float64Array): Float64Array {
  returns[0] = 0;
  logReturns(closes, 0, closes.length - 1, returns, 1);
  return returns;
}

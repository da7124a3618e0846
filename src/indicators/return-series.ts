// Daily log returns of a series: what Sharpe ratios and comparisons with the benchmark are computed from.

import { FIRST_DAY } from '../domain/day.ts';
import { logReturns } from './arithmetic/log-return.ts';
import type { DailySeries } from './calendar.ts';

export interface ReturnSeries {
  readonly firstDay: number;
  readonly closes: Float64Array;
  /** `returns[i]` is the log return from `closes[i - 1]` to `closes[i]`. */
  readonly returns: Float64Array;
}

export const NO_BENCHMARK: ReturnSeries = {
  firstDay: FIRST_DAY,
  closes: new Float64Array(),
  returns: new Float64Array(),
};

/** The series that betas and correlations refer to, its returns computed once for all assets. */
export function benchmarkOf({ firstDay, closes }: DailySeries): ReturnSeries {
  return { firstDay, closes, returns: dailyReturns(closes, new Float64Array(closes.length)) };
}

/** None on the first day. */
export function dailyReturns(closes: Float64Array, returns: Float64Array): Float64Array {
  returns[0] = 0;
  logReturns(closes, 0, closes.length - 1, returns, 1);
  return returns;
}

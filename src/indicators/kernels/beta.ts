// Beta and correlation of daily log returns against a benchmark: cov / var of the benchmark, and cov / √(var · var), over the last n
// days on which both have a return.
//
// A covariance near 0 is a sum of terms that cancel. Its error is relative to the two standard deviations: below 1e-12 for the
// correlation, and below 1e-12 times their ratio for beta.

import { ReturnWindow } from './return-window.ts';

export interface ReturnSeries {
  readonly firstDay: number;
  readonly closes: Float64Array;
  /** `returns[i]` is the log return from `closes[i - 1]` to `closes[i]`. */
  readonly returns: Float64Array;
}

/** Writes the values of the days `first …` to `[beta, correlation][0 …]`; NaN without n common returns, or if either never varies. */
export function beta(
  asset: ReturnSeries,
  benchmark: ReturnSeries,
  window: number,
  first: number,
  [betas, correlations]: readonly [Float64Array, Float64Array],
): void {
  betas.fill(Number.NaN);
  correlations.fill(Number.NaN);
  const own = new ReturnWindow(asset.closes, asset.returns, window);
  const others = windowOf(benchmark, window);
  /** From an index of the asset's days to one of the benchmark's. */
  const offset = asset.firstDay - benchmark.firstDay;
  for (let day = first; day < asset.closes.length; day++) {
    const last = Math.min(day, benchmark.closes.length - 1 - offset);
    if (last < window || last + offset < window) continue;
    own.moveTo(last);
    others.moveTo(last + offset);
    if (others.squares === 0) continue;
    const products = own.productsWith(others);
    betas[day - first] = products / others.squares;
    if (own.squares === 0) continue;
    const correlation = products / Math.sqrt(own.squares * others.squares);
    correlations[day - first] = Math.max(-1, Math.min(1, correlation));
  }
}

/** The window of the benchmark that was used last: all assets of a publication use the same one, mostly on the same day. */
let last: { readonly series: ReturnSeries; readonly count: number; readonly window: ReturnWindow } | null = null;

function windowOf(series: ReturnSeries, count: number): ReturnWindow {
  if (last?.series !== series || last.count !== count) {
    last = { series, count, window: new ReturnWindow(series.closes, series.returns, count) };
  }
  return last.window;
}

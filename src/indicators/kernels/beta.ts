// Beta and correlation of daily log returns against a benchmark: cov / var of the benchmark, and cov / √(var · var), over the last n
// days on which both have a return.
//
// A covariance near 0 is a sum of terms that cancel. Its error is relative to the two standard deviations: below 1e-12 for the
// correlation, and below 1e-12 times their ratio for beta.

import type { DailySeries } from '../calendar.ts';
import { covarianceSum, returnDeviations } from './return-deviations.ts';

/** Writes the values of the days `first …` to `[beta, correlation][0 …]`; NaN without n common returns, or if either never varies. */
export function beta(
  asset: DailySeries,
  benchmark: DailySeries,
  window: number,
  first: number,
  [betas, correlations]: readonly [Float64Array, Float64Array],
): void {
  betas.fill(Number.NaN);
  correlations.fill(Number.NaN);
  const [own, others] = [new Float64Array(window), new Float64Array(window)];
  /** From an index of the asset's days to one of the benchmark's. */
  const offset = asset.firstDay - benchmark.firstDay;
  for (let day = first; day < asset.closes.length; day++) {
    const last = Math.min(day, benchmark.closes.length - 1 - offset);
    if (last < window || last + offset < window) continue;
    returnDeviations(asset.closes, last, window, own);
    returnDeviations(benchmark.closes, last + offset, window, others);
    const [variance, benchmarkVariance] = [covarianceSum(own, own, window), covarianceSum(others, others, window)];
    if (benchmarkVariance === 0) continue;
    const covariance = covarianceSum(own, others, window);
    betas[day - first] = covariance / benchmarkVariance;
    if (variance === 0) continue;
    const correlation = covariance / Math.sqrt(variance * benchmarkVariance);
    correlations[day - first] = Math.max(-1, Math.min(1, correlation));
  }
}

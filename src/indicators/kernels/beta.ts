// Beta and correlation of daily log returns against a benchmark: cov / var of the benchmark, and cov / √(var · var), over the last n
// days on which both have a return.
//
// A covariance near 0 is a sum of terms that cancel: with doubles, its error is relative to the two standard deviations. If the
// correlation is so small that this error could exceed the promised 1e-12 of it, the covariance is computed in double-double arithmetic.

import { PreciseReturns } from '../arithmetic/precise-returns.ts';
import { ReturnWindow } from '../arithmetic/return-window.ts';
import type { Kernel, Outputs, Series } from '../kernel.ts';
import type { ReturnSeries } from '../return-series.ts';

/** Missing without n common returns, or if either never varies. */
export const kernel: Kernel = (series, first, lengths, out, row) => {
  for (let k = 0; k < lengths.length; k++) {
    for (const values of out[k]!) values.fill(Number.NaN, row, row + series.end - first);
    compare(series, lengths[k]!, first, out[k]!, row - first);
  }
};

/** A day is written to the row `shift` further. */
function compare(
  { closes, returns, firstDay, end, benchmark }: Series,
  length: number,
  first: number,
  out: Outputs,
  shift: number,
): void {
  const [betas, correlations] = out;
  const own = new ReturnWindow(closes, returns, length);
  const { window: others, precise } = benchmarkWindow(benchmark, length);
  let preciseOwn: PreciseReturns | null = null;
  /** From an index of the asset's days to one of the benchmark's. */
  const offset = firstDay - benchmark.firstDay;
  for (let day = first; day < end; day++) {
    const last = Math.min(day, benchmark.closes.length - 1 - offset);
    if (last < length || last + offset < length) continue;
    own.moveTo(last);
    others.moveTo(last + offset);
    if (others.squares === 0) continue;
    let products = own.productsWith(others);
    if (mayHaveCancelled(products, own, others, length)) {
      preciseOwn ??= new PreciseReturns(closes);
      products = preciseOwn.productsWith(precise(), last, last + offset, length);
    }
    betas[day + shift] = products / others.squares;
    if (own.squares === 0) continue;
    const correlation = products / Math.sqrt(own.squares * others.squares);
    correlations[day + shift] = Math.max(-1, Math.min(1, correlation));
  }
}

/** 2⁻⁵³ / 1e-12: the error of one rounding as a share of the promised one. */
const ROUNDING = 2 ** -53 / 1e-12;
/** Of a log return, in roundings. */
const RETURN_ERROR = 12;

/**
 * Whether the error of Σ xy, x and y being the deviations from the means, may exceed 1e-12 of it. In roundings of √(Σx² · Σy²), which
 * Σ |xy| never exceeds, the error is at most n + 2 for the sum, and RETURN_ERROR for each factor and for the mean that was taken from it.
 */
function mayHaveCancelled(products: number, own: ReturnWindow, others: ReturnWindow, count: number): boolean {
  const means = own.meanToDeviation + others.meanToDeviation;
  const roundings = count + 2 + RETURN_ERROR * (2 + means);
  const least = roundings * ROUNDING;
  // Without roots and quotients. A product of equal returns is exactly 0.
  return products * products < least * least * own.squares * others.squares;
}

interface BenchmarkWindow {
  readonly series: ReturnSeries;
  readonly count: number;
  readonly window: ReturnWindow;
  /** Made when it is first needed. */
  readonly precise: () => PreciseReturns;
}

/** The window of the benchmark that was used last: all assets of a publication use the same one, mostly on the same day. */
let last: BenchmarkWindow | null = null;

function benchmarkWindow(series: ReturnSeries, count: number): BenchmarkWindow {
  if (last?.series === series && last.count === count) return last;
  let made: PreciseReturns | null = null;
  const precise = () => {
    made ??= new PreciseReturns(series.closes);
    return made;
  };
  last = { series, count, window: new ReturnWindow(series.closes, series.returns, count, true), precise };
  return last;
}

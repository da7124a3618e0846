// Beta and correlation of daily log returns against a benchmark: cov / var of the benchmark, and cov / √(var · var), over the last n
// days on which both have a return.
//
// A covariance near 0 is a sum of terms that cancel: with doubles, its error is relative to the two standard deviations. If the
// correlation is so small that this error could exceed the promised 1e-12 of it, the covariance is computed in double-double arithmetic.

import { PreciseReturns } from '../arithmetic/precise-returns.ts';
import { LARGEST_SUBTRACTED, ReturnWindow } from '../arithmetic/return-window.ts';
import { windowProducts } from '../arithmetic/window-products.ts';
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
function compare(series: Series, length: number, first: number, out: Outputs, shift: number): void {
  const { benchmark, end } = series;
  const [betas, correlations] = out;
  /** From an index of the asset's days to one of the benchmark's. */
  const offset = series.firstDay - benchmark.firstDay;
  const lastCommon = benchmark.closes.length - 1 - offset;
  // Days after the last common one have the window of that.
  const firstLast = Math.max(Math.min(first, lastCommon), length, length - offset);
  const endOfLast = Math.min(end, lastCommon + 1);
  if (firstLast >= endOfLast) return;
  const own = new ReturnWindow(series, length, firstLast, endOfLast);
  const { window: others, precise } = benchmarkWindow(benchmark, length);
  let preciseOwn: PreciseReturns | null = null;
  const both = new Float64Array(endOfLast - firstLast);
  const factors = { a: series.returns, b: benchmark.returns, shift: offset, firstDay: series.firstDay };
  windowProducts(factors, length, firstLast, endOfLast, both);
  for (let day = Math.max(first, firstLast); day < end; day++) {
    const last = Math.min(day, lastCommon);
    own.moveTo(last);
    others.moveTo(last + offset);
    if (others.squares === 0) continue;
    const areVaried = own.isVaried && others.isVaried;
    let products = areVaried ? both[last - firstLast]! - own.mean * others.mean * length : own.productsAround(others);
    const roundings = areVaried ? VARIED_ROUNDINGS : roundingsAround(own, others, length);
    if (mayHaveCancelled(products, roundings, own, others)) {
      preciseOwn ??= new PreciseReturns(series.closes);
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
 * The error of Σ xy, x and y being the deviations from the means, in roundings of √(Σx² · Σy²), which Σ |xy| never exceeds: at most n + 2
 * for the sum, and RETURN_ERROR for each factor and for the mean that was taken from it.
 */
function roundingsAround(own: ReturnWindow, others: ReturnWindow, count: number): number {
  return count + 2 + RETURN_ERROR * (2 + own.meanToDeviation + others.meanToDeviation);
}

/**
 * The same of Σ ab − n · mean a · mean b, a and b being the returns. In roundings of √(Σa² · Σb²): three for the products, their sum and the
 * difference, RETURN_ERROR for each factor, and for the means as much and three more of the share that is subtracted. As large a share is
 * all that √(Σx² · Σy²) is smaller.
 */
const VARIED_ROUNDINGS =
  (3 + 2 * RETURN_ERROR + LARGEST_SUBTRACTED * (2 * RETURN_ERROR + 3)) / (1 - LARGEST_SUBTRACTED);

/** Whether the error of Σ xy may exceed 1e-12 of it. */
function mayHaveCancelled(products: number, roundings: number, own: ReturnWindow, others: ReturnWindow): boolean {
  const least = roundings * ROUNDING;
  // Without roots and quotients. A product of equal returns is exactly 0.
  return products * products < least * least * own.squares * others.squares;
}

interface BenchmarkWindow {
  /** Of all its days. */
  readonly window: ReturnWindow;
  /** Made when it is first needed. */
  readonly precise: () => PreciseReturns;
}

/** The benchmark that was used last, and its windows by their length: all assets of a publication use the same ones. */
let used: { readonly series: ReturnSeries; readonly windows: Map<number, BenchmarkWindow> } | null = null;

function benchmarkWindow(series: ReturnSeries, length: number): BenchmarkWindow {
  if (used?.series !== series) used = { series, windows: new Map() };
  let window = used.windows.get(length);
  if (window !== undefined) return window;
  let made: PreciseReturns | null = null;
  const precise = () => {
    made ??= new PreciseReturns(series.closes);
    return made;
  };
  window = { window: new ReturnWindow(series, length, length, series.closes.length), precise };
  used.windows.set(length, window);
  return window;
}

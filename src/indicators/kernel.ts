// The one signature of all kernels, and the series that they read.

import { periodsPerYear } from '../domain/interval.ts';
import { type DailyBars, NO_BARS } from './calendar.ts';
import { dailyReturns, NO_BENCHMARK, type ReturnSeries } from './return-series.ts';

/**
 * Writes the values of the days `first … end - 1` of the series to `out[k][output][row …]`, for each `lengths[k]`, which ascend.
 * A missing value is NaN. Each value depends on the days up to it alone, so that later days never change a row.
 *
 * A recursion steps from `next` to `end - 1`, and so is called with `next <= first`. It finds its state at `series.state[state …]`, unless
 * it starts with the first close, and leaves the state after the last day there. The same steps give the same bits.
 */
export type Kernel = (
  series: Series,
  first: number,
  lengths: readonly number[],
  out: readonly Outputs[],
  row: number,
  state: number,
) => void;

/** One array per output of the kernel, in the order of the catalogue: five at most. */
export type Outputs = readonly [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

/** Unless the series is of another interval. */
export const DAYS_PER_YEAR: number = periodsPerYear('1d');

/** The days of one asset, oldest first. One object can be used for asset after asset. */
export class Series {
  /** Those of the series are `closes[start … end - 1]`: valid prices, one per day. */
  closes: Float64Array = NO_BARS.closes;
  start = 0;
  end = 0;
  /** Of `closes[0]`. */
  firstDay: number = NO_BARS.firstDay;
  opens: Float64Array = NO_BARS.closes;
  highs: Float64Array = NO_BARS.closes;
  lows: Float64Array = NO_BARS.closes;
  volumes: Float64Array = NO_BARS.closes;
  benchmark: ReturnSeries = NO_BENCHMARK;
  /** Days of the asset before `closes[0]`. */
  skipped = 0;
  /** The day that recursions step to next. */
  next = 0;
  readonly state: Float64Array;
  #returns: Float64Array | null = null;
  #memory = new Float64Array(0);

  /** Of its interval: what annualised figures are scaled by. */
  readonly periodsPerYear: number;

  /** `stateSize` is that of the kernels which are run on it. */
  constructor(stateSize: number = 0, perYear: number = DAYS_PER_YEAR) {
    this.state = new Float64Array(stateSize);
    this.periodsPerYear = perYear;
  }

  /** From the first close of the asset on. */
  set(bars: DailyBars, benchmark: ReturnSeries | null): this {
    this.closes = bars.closes;
    this.start = 0;
    this.end = bars.closes.length;
    this.firstDay = bars.firstDay;
    this.opens = bars.opens;
    this.highs = bars.highs;
    this.lows = bars.lows;
    this.volumes = bars.volumes;
    this.benchmark = benchmark ?? NO_BENCHMARK;
    this.skipped = 0;
    this.next = 0;
    this.#returns = null;
    return this;
  }

  /** Whether a recursion has no state yet. */
  get isFresh(): boolean {
    return this.skipped + this.next === 0;
  }

  /** The log return of each day from the day before. */
  get returns(): Float64Array {
    if (this.#returns !== null) return this.#returns;
    if (this.#memory.length < this.closes.length) this.#memory = new Float64Array(this.closes.length);
    this.#returns = dailyReturns(this.closes, this.#memory);
    return this.#returns;
  }
}

// The bars of one asset from one source. Sources stand side by side: none overwrites another.

/** Bars in ascending order of their periods, as columns of equal length. A number that the source does not give is NaN. */
export interface SourceBars {
  /** The name of the source; null for the bars that the price rule has made of all sources. */
  readonly source: string | null;
  /** Intervals since 1970-01-01 UTC; for daily bars the days. A period without a bar is missing from it. */
  readonly period: Int32Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** In units of the asset. */
  readonly volume: Float64Array;
}

/** The source of bars that a person has corrected. It precedes all others. A bar of it without a close removes the period. */
export const CORRECTION = 'correction';

/** The numbers of a bar: all but its period. */
export const BAR_NUMBERS = ['open', 'high', 'low', 'close', 'volume'] as const;

export function sourceBars(source: string | null, count: number): SourceBars {
  const unknown = () => new Float64Array(count).fill(Number.NaN);
  return {
    source,
    period: new Int32Array(count),
    open: unknown(),
    high: unknown(),
    low: unknown(),
    close: unknown(),
    volume: unknown(),
  };
}

/** The first `count` bars, without copying. */
export function firstBars(bars: SourceBars, count: number): SourceBars {
  const { source, period, open, high, low, close, volume } = bars;
  return {
    source,
    period: period.subarray(0, count),
    open: open.subarray(0, count),
    high: high.subarray(0, count),
    low: low.subarray(0, count),
    close: close.subarray(0, count),
    volume: volume.subarray(0, count),
  };
}

// Daily bars, many at a time: columns of equal length, because loads are measured in millions of bars.

import type { Day } from './day.ts';

/** One bar as a provider gives it; a number that it does not give is NaN. */
export interface Bar {
  readonly day: Day;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Many bars. A number that a source does not give is NaN, except the close, which every bar has. */
export interface BarColumns {
  /** Days since 1970-01-01 UTC. */
  readonly day: Int32Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** In units of the asset, not of the quote currency. */
  readonly volume: Float64Array;
}

export function barColumns(capacity: number): BarColumns {
  return {
    day: new Int32Array(capacity),
    open: new Float64Array(capacity).fill(Number.NaN),
    high: new Float64Array(capacity).fill(Number.NaN),
    low: new Float64Array(capacity).fill(Number.NaN),
    close: new Float64Array(capacity).fill(Number.NaN),
    volume: new Float64Array(capacity).fill(Number.NaN),
  };
}

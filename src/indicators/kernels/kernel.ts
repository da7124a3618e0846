// What every kind of indicator provides: the same values in two ways, for the last day only and for every day.
//
// Closes are dense (one a day, oldest first) and valid prices. `windows` ascends, and `out[k]` belongs to `windows[k]`.
// A missing value is NaN. Neither function allocates per call.

export interface Kernel {
  /** The values on the last day of the series `closes[start … end - 1]`, written to `out[k][row]`. */
  current(
    closes: Float64Array,
    start: number,
    end: number,
    windows: readonly number[],
    out: readonly Float64Array[],
    row: number,
  ): void;

  /** The values on every day of the series `closes[0 … days - 1]`, written to `out[k][0 … days - 1]`. */
  history(closes: Float64Array, days: number, windows: readonly number[], out: readonly Float64Array[]): void;
}

/** How many closes at the end of the series equal the last one: windows within that run are flat, exactly. */
export function flatRun(closes: Float64Array, start: number, end: number): number {
  const last = closes[end - 1]!;
  let first = end - 1;
  while (first > start && closes[first - 1] === last) first--;
  return end - first;
}

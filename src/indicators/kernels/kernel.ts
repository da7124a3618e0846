// What every kind of indicator provides: its values on the last day of a series, for several windows at once.

/**
 * Writes the values on the last day of the series `closes[start … end - 1]` to `out[k][row]`, for each `windows[k]`. Closes are
 * valid prices, one per day, oldest first. `windows` ascends. A missing value is NaN. A kernel allocates nothing per call.
 */
export type Kernel = (
  closes: Float64Array,
  start: number,
  end: number,
  windows: readonly number[],
  out: readonly Float64Array[],
  row: number,
) => void;

/** The number of closes at the end of the series that equal the last one: windows within that run are exactly flat. */
export function flatRun(closes: Float64Array, start: number, end: number): number {
  const last = closes[end - 1]!;
  let first = end - 1;
  while (first > start && closes[first - 1] === last) first--;
  return end - first;
}

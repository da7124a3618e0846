// The highest and the lowest close: of the last n days, and ever.

/** Writes the values of the days `first …` to `[highest, lowest][0 …]`; NaN without a full window. */
export function extremes(
  closes: Float64Array,
  window: number,
  first: number,
  [highest, lowest]: readonly [Float64Array, Float64Array],
): void {
  highest.fill(Number.NaN);
  lowest.fill(Number.NaN);
  for (let day = Math.max(first, window - 1); day < closes.length; day++) {
    let high = closes[day]!;
    let low = high;
    for (let i = day - window + 1; i < day; i++) {
      high = Math.max(high, closes[i]!);
      low = Math.min(low, closes[i]!);
    }
    highest[day - first] = high;
    lowest[day - first] = low;
  }
}

/** The highest close up to each of the days `first …`, and the index of the day that first reached it. */
export function allTimeHigh(
  closes: Float64Array,
  first: number,
  [highest, reached]: readonly [Float64Array, Float64Array],
): void {
  let at = 0;
  for (let day = 0; day < closes.length; day++) {
    if (closes[day]! > closes[at]!) at = day;
    if (day < first) continue;
    highest[day - first] = closes[at]!;
    reached[day - first] = at;
  }
}

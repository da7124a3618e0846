// The highest and the lowest close: of the last n days, and ever.

import type { Recursion } from './recursion.ts';

/** Writes the values of the days `first …` to `[highest, lowest][0 …]`; NaN without a full window. */
export function extremes(
  closes: Float64Array,
  window: number,
  first: number,
  [highest, lowest]: readonly [Float64Array, Float64Array],
): void {
  highest.fill(Number.NaN);
  lowest.fill(Number.NaN);
  let [highAt, lowAt] = [-1, -1];
  for (let day = Math.max(first, window - 1); day < closes.length; day++) {
    const from = day - window + 1;
    // The window is searched again only when an extreme has left it.
    if (highAt < from || lowAt < from) {
      highAt = lowAt = from;
      for (let i = from + 1; i < day; i++) {
        if (closes[i]! >= closes[highAt]!) highAt = i;
        else if (closes[i]! <= closes[lowAt]!) lowAt = i;
      }
    }
    if (closes[day]! >= closes[highAt]!) highAt = day;
    if (closes[day]! <= closes[lowAt]!) lowAt = day;
    highest[day - first] = closes[highAt]!;
    lowest[day - first] = closes[lowAt]!;
  }
}

/** The highest close ever, and the number of days from the first close to the day that first reached it. */
export class AllTimeHigh implements Recursion {
  readonly size = 2;
  value = 0;
  reached = 0;

  start(): void {
    this.value = this.reached = 0;
  }

  step(day: number, closes: Float64Array, at: number): void {
    if (closes[at]! <= this.value) return;
    this.value = closes[at]!;
    this.reached = day;
  }

  save(state: Float64Array, from: number): void {
    state[from] = this.value;
    state[from + 1] = this.reached;
  }

  load(state: Float64Array, from: number): void {
    this.value = state[from]!;
    this.reached = state[from + 1]!;
  }
}

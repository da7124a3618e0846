// Turnover: volume · close, in US dollars; and its mean over the last n days.

import type { DailyBars } from '../calendar.ts';

/** Writes the values of the days `first …` to `[turnover, mean][0 …]`; NaN if a volume is unknown, or without a full window. */
export function turnover(
  { closes, volumes }: DailyBars,
  window: number,
  first: number,
  [turnovers, means]: readonly [Float64Array, Float64Array],
): void {
  means.fill(Number.NaN);
  for (let day = first; day < closes.length; day++) {
    turnovers[day - first] = volumes[day]! * closes[day]!;
    if (day < window - 1) continue;
    let sum = 0;
    for (let i = day - window + 1; i <= day; i++) sum += volumes[i]! * closes[i]!;
    means[day - first] = sum / window;
  }
}

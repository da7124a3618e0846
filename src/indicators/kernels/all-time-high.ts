// The highest close ever, the day that first reached it, and the distance of the latest close from it in percent.

import { percentChange } from '../arithmetic/percent-change.ts';
import type { Kernel } from '../kernel.ts';

/** It has no length. The state is the highest close, and the days from the first close to the one that reached it. */
export const kernel: Kernel = (series, first, _, out, row, state) => {
  const { closes, end, firstDay, skipped, next, isFresh } = series;
  const [highs, days, distances] = out[0]!;
  let highest = isFresh ? 0 : series.state[state]!;
  let reached = isFresh ? 0 : series.state[state + 1]!;
  for (let day = next; day < end; day++) {
    if (closes[day]! > highest) {
      highest = closes[day]!;
      reached = skipped + day;
    }
    if (day < first) continue;
    highs[row + day - first] = highest;
    days[row + day - first] = firstDay - skipped + reached;
    distances[row + day - first] = percentChange(closes[day]!, highest);
  }
  series.state[state] = highest;
  series.state[state + 1] = reached;
};

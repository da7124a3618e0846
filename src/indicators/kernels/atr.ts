// Wilder's average true range. The true range of a day is the largest of H − L, |H − C₁| and |L − C₁|, where C₁ is the close of the
// day before. It begins with the second bar; the average is seeded with the mean of the first n true ranges. A bar without high or low
// makes the recursion start again after it.

import type { Kernel } from '../kernel.ts';

/** The state is the average, and the number of true ranges since the recursion started: -1 until there is a bar with high and low. */
export const kernel: Kernel = (series, first, lengths, out, row, state) => {
  const { closes, highs, lows, end, next, isFresh } = series;
  for (let k = 0; k < lengths.length; k++) {
    const length = lengths[k]!;
    const values = out[k]![0];
    const at = state + 2 * k;
    let average = isFresh ? 0 : series.state[at]!;
    let ranges = isFresh ? -1 : series.state[at + 1]!;
    for (let day = next; day < end; day++) {
      const [high, low] = [highs[day]!, lows[day]!];
      if (Number.isNaN(high - low)) {
        average = 0;
        ranges = -1;
      } else if (++ranges > 0) {
        const before = closes[day - 1]!;
        const range = Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
        average += ranges <= length ? range / length : (range - average) / length;
      }
      if (day >= first) values[row + day - first] = ranges >= length ? average : Number.NaN;
    }
    series.state[at] = average;
    series.state[at + 1] = ranges;
  }
};

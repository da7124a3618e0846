// Exponential moving average: EMAₜ = EMAₜ₋₁ + 2/(n+1) · (Cₜ − EMAₜ₋₁), seeded with the mean of the first n closes.
//
// Closes are positive, so the error of a step, at most 3 · 1.1e-16 of the larger of EMA and close, stays relative to the average:
// below n · 2e-16 in all, 4e-14 for n = 200.

import { meanOfFirst } from '../arithmetic/sum.ts';
import type { Kernel } from '../kernel.ts';

/** Missing before day n. The state is the average. */
export const kernel: Kernel = (series, first, lengths, out, row, state) => {
  const { closes, end, skipped, next, isFresh } = series;
  for (let k = 0; k < lengths.length; k++) {
    const length = lengths[k]!;
    const weight = 2 / (length + 1);
    const values = out[k]![0];
    let average = isFresh ? Number.NaN : series.state[state + k]!;
    for (let day = next; day < end; day++) {
      if (skipped + day >= length) average += weight * (closes[day]! - average);
      else if (skipped + day === length - 1) average = meanOfFirst(closes, length).high;
      if (day >= first) values[row + day - first] = average;
    }
    series.state[state + k] = average;
  }
};

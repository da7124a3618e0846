// The highest and the lowest of the last n closes, and the distances of the latest close from them in percent.

import { percentChange } from '../arithmetic/percent-change.ts';
import { windowRange } from '../arithmetic/window-range.ts';
import type { Kernel } from '../kernel.ts';

/** Missing without a full window. */
export const kernel: Kernel = ({ closes, end }, first, lengths, out, row) => {
  for (let k = 0; k < lengths.length; k++) {
    const length = lengths[k]!;
    const [highs, lows, fromHighest, fromLowest] = out[k]!;
    for (const values of out[k]!) values.fill(Number.NaN, row, row + end - first);
    const from = Math.max(first, length - 1);
    if (from >= end) continue;
    const { lowest, highest } = windowRange(closes, closes, length, from, end);
    for (let day = from; day < end; day++) {
      const at = row + day - first;
      highs[at] = highest[day - from]!;
      lows[at] = lowest[day - from]!;
      fromHighest[at] = percentChange(closes[day]!, highs[at]);
      fromLowest[at] = percentChange(closes[day]!, lows[at]);
    }
  }
};

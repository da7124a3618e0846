// Open, high, low and volume of the day, as the source gives them.

import type { Kernel } from '../kernel.ts';

/** It has no length. In a loop: for the last day alone, `set` and `subarray` would take longer than all else. */
export const kernel: Kernel = ({ opens, highs, lows, volumes, end }, first, _, out, row) => {
  const [open, high, low, volume] = out[0]!;
  for (let day = first; day < end; day++) {
    open[row + day - first] = opens[day]!;
    high[row + day - first] = highs[day]!;
    low[row + day - first] = lows[day]!;
    volume[row + day - first] = volumes[day]!;
  }
};

// Sharpe ratio: mean / sample standard deviation of the last n log returns, times √(periods per year).

import { ReturnWindow } from '../arithmetic/return-window.ts';
import type { Kernel } from '../kernel.ts';

/** Missing without a full window, or if all returns are equal. */
export const kernel: Kernel = (series, first, lengths, out, row) => {
  const yearly = Math.sqrt(series.periodsPerYear);
  for (let k = 0; k < lengths.length; k++) {
    const length = lengths[k]!;
    const values = out[k]![0];
    const firstFull = Math.max(first, length);
    const used = new ReturnWindow(series, length, firstFull, series.end);
    values.fill(Number.NaN, row, row + series.end - first);
    for (let day = firstFull; day < series.end; day++) {
      used.moveTo(day);
      if (used.squares === 0) continue;
      values[row + day - first] = (used.mean / Math.sqrt(used.squares / (length - 1))) * yearly;
    }
  }
};

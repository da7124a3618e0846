// Sharpe ratio: mean / sample standard deviation of the last n log returns, times √(periods per year).
//
// The mean of log returns is ln(C₀ / Cₙ) / n, which cancels nothing.

import { logReturn } from '../arithmetic/log-return.ts';
import { ReturnWindow } from '../arithmetic/return-window.ts';
import type { Kernel } from '../kernel.ts';

/** Missing without a full window, or if all returns are equal. */
export const kernel: Kernel = (series, first, lengths, out, row) => {
  const { closes, end, returns } = series;
  const yearly = Math.sqrt(series.periodsPerYear);
  for (let k = 0; k < lengths.length; k++) {
    const length = lengths[k]!;
    const values = out[k]![0];
    const used = new ReturnWindow(closes, returns, length);
    values.fill(Number.NaN, row, row + end - first);
    for (let day = Math.max(first, length); day < end; day++) {
      used.moveTo(day);
      if (used.squares === 0) continue;
      const mean = logReturn(closes[day - length]!, closes[day]!) / length;
      values[row + day - first] = (mean / Math.sqrt(used.squares / (length - 1))) * yearly;
    }
  }
};

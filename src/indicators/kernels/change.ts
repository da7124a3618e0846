// Change over n days in percent: (C₀ / Cₙ − 1) · 100.

import type { Kernel } from './kernel.ts';

/** The difference first: for close neighbours it is exact, where C₀ / Cₙ − 1 would lose every digit they share. */
function percentChange(latest: number, earlier: number): number {
  return ((latest - earlier) / earlier) * 100;
}

export const change: Kernel = {
  current(closes, start, end, windows, out, row) {
    const latest = closes[end - 1]!;
    for (let k = 0; k < windows.length; k++) {
      const earlier = end - 1 - windows[k]!;
      out[k]![row] = earlier >= start ? percentChange(latest, closes[earlier]!) : Number.NaN;
    }
  },

  history(closes, days, windows, out) {
    for (let k = 0; k < windows.length; k++) {
      const window = windows[k]!;
      const values = out[k]!;
      values.fill(Number.NaN, 0, Math.min(window, days));
      for (let day = window; day < days; day++) values[day] = percentChange(closes[day]!, closes[day - window]!);
    }
  },
};

// Change over n days in percent: (C₀ / Cₙ − 1) · 100.

import type { Kernel } from './kernel.ts';

export const change: Kernel = (closes, start, end, windows, out, row) => {
  const latest = closes[end - 1]!;
  for (let k = 0; k < windows.length; k++) {
    const earlier = end - 1 - windows[k]!;
    out[k]![row] = earlier >= start ? percentChange(latest, closes[earlier]!) : Number.NaN;
  }
};

/** The difference first: for nearly equal prices it is exact, while C₀ / Cₙ − 1 loses every digit that they share. */
export function percentChange(latest: number, earlier: number): number {
  return ((latest - earlier) / earlier) * 100;
}

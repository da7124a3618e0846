// Simple moving average of the last min(n, available) closes.
//
// Prices are positive, so a plain sum of n of them is within n rounding errors (365 · 1.1e-16).

import { flatRun, type Kernel } from './kernel.ts';

/** Four sums at once: with one, each addition would wait for the one before. */
export function sum(values: Float64Array, from: number, to: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = from;
  for (; i + 3 < to; i += 4) {
    a += values[i]!;
    b += values[i + 1]!;
    c += values[i + 2]!;
    d += values[i + 3]!;
  }
  for (; i < to; i++) a += values[i]!;
  return a + b + (c + d);
}

export const sma: Kernel = (closes, start, end, windows, out, row) => {
  // The oldest close first, so that memory is read in order. The sums between two windows are then added up backwards.
  let from = Math.max(start, end - windows[windows.length - 1]!);
  for (let k = windows.length - 1; k >= 0; k--) {
    const to = k > 0 ? Math.max(start, end - windows[k - 1]!) : end;
    out[k]![row] = sum(closes, from, to);
    from = to;
  }
  const flat = flatRun(closes, start, end);
  let total = 0;
  for (let k = 0; k < windows.length; k++) {
    const count = Math.min(windows[k]!, end - start);
    total += out[k]![row]!;
    // The mean of equal closes is that close, which a rounded sum may miss by a digit.
    out[k]![row] = count <= flat ? closes[end - 1]! : total / count;
  }
};

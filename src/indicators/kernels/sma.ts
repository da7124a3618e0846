// Simple moving average of the last min(n, available) closes.
//
// Prices are positive, so a plain sum of n of them is within n rounding errors (365 · 1.1e-16); nothing is ever
// subtracted from a sum, so nothing drifts.

import { flatRun, type Kernel } from './kernel.ts';

/** Four sums at once: one alone would wait for each addition to finish before the next. */
function sum(values: Float64Array, from: number, to: number): number {
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

let tails = new Float64Array(512);

/** Means of equal closes are that close, which a rounded sum may miss by a digit. */
function settleFlatWindows(
  closes: Float64Array,
  days: number,
  windows: readonly number[],
  out: readonly Float64Array[],
): void {
  let run = 0;
  for (let day = 0; day < days; day++) {
    run = day > 0 && closes[day] === closes[day - 1] ? run + 1 : 1;
    if (run === 1) continue;
    for (let k = 0; k < windows.length && Math.min(windows[k]!, day + 1) <= run; k++) out[k]![day] = closes[day]!;
  }
}

export const sma: Kernel = {
  current(closes, start, end, windows, out, row) {
    // From the oldest close on, so that memory is read in its order; the sums between windows then add up backwards.
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
      out[k]![row] = count <= flat ? closes[end - 1]! : total / count;
    }
  },

  // Cuts the series into blocks of one window. A window that ends in a block is the tail of the block before plus the
  // head of this one: both are plain sums, kept as they grow, so each day costs three additions whatever the window.
  history(closes, days, windows, out) {
    for (let k = 0; k < windows.length; k++) {
      const window = windows[k]!;
      const values = out[k]!;
      if (tails.length <= window) tails = new Float64Array(window + 1);
      const sums = tails;

      let head = 0;
      for (let day = 0; day < window && day < days; day++) {
        head += closes[day]!;
        values[day] = head / (day + 1);
      }

      sums[window] = 0;
      for (let block = window; block < days; block += window) {
        let tail = 0;
        for (let i = window - 1; i > 0; i--) {
          tail += closes[block - window + i]!;
          sums[i] = tail;
        }
        head = 0;
        const length = Math.min(window, days - block);
        for (let i = 0; i < length; i++) {
          head += closes[block + i]!;
          values[block + i] = (sums[i + 1]! + head) / window;
        }
      }
    }
    settleFlatWindows(closes, days, windows, out);
  },
};

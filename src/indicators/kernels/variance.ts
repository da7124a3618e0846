// Population variance of the last min(n, available) closes.

import type { Kernel } from './kernel.ts';
import { spread } from './spread.ts';

export const variance: Kernel = (closes, start, end, windows, out, row) => {
  const anchor = closes[end - 1]!;
  let sum = 0;
  let squares = 0;
  let first = end;
  for (let k = 0; k < windows.length; k++) {
    const from = Math.max(start, end - windows[k]!);
    while (first > from) {
      const d = closes[--first]! - anchor;
      sum += d;
      squares += d * d;
    }
    out[k]![row] = spread(end - from, sum, squares, end - from);
  }
};

// Population variance of the last min(n, available) closes.

import { spread } from '../arithmetic/spread.ts';
import type { Kernel } from '../kernel.ts';

export const kernel: Kernel = ({ closes, start, end }, first, lengths, out, row) => {
  for (let day = first; day < end; day++) {
    const anchor = closes[day]!;
    let sum = 0;
    let squares = 0;
    let oldest = day + 1;
    for (let k = 0; k < lengths.length; k++) {
      const from = Math.max(start, day + 1 - lengths[k]!);
      while (oldest > from) {
        const d = closes[--oldest]! - anchor;
        sum += d;
        squares += d * d;
      }
      out[k]![0][row + day - first] = spread(day + 1 - from, sum, squares, day + 1 - from);
    }
  }
};

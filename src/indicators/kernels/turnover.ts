// Mean turnover of the last n days, volume · close, in US dollars.

import { windowProducts } from '../arithmetic/window-products.ts';
import type { Kernel } from '../kernel.ts';

/** Missing if a volume is unknown, or without a full window. */
export const kernel: Kernel = ({ closes, volumes, firstDay, end }, first, lengths, out, row) => {
  const factors = { a: volumes, b: closes, shift: 0, firstDay };
  for (let k = 0; k < lengths.length; k++) {
    const length = lengths[k]!;
    const values = out[k]![0];
    const from = Math.max(first, length - 1);
    values.fill(Number.NaN, row, row + end - first);
    if (from >= end) continue;
    const written = values.subarray(row + from - first, row + end - first);
    windowProducts(factors, length, from, end, written);
    for (let i = 0; i < written.length; i++) written[i]! /= length;
  }
};

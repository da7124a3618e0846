// Mean turnover of the last n days, volume · close, in US dollars.

import type { Kernel } from '../kernel.ts';

/** Missing if a volume is unknown, or without a full window. */
export const kernel: Kernel = ({ closes, volumes, end }, first, lengths, out, row) => {
  for (let k = 0; k < lengths.length; k++) {
    const length = lengths[k]!;
    const values = out[k]![0];
    for (let day = first; day < end; day++) {
      let sum = day < length - 1 ? Number.NaN : 0;
      for (let i = Math.max(0, day - length + 1); i <= day; i++) sum += volumes[i]! * closes[i]!;
      values[row + day - first] = sum / length;
    }
  }
};

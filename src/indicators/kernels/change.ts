// Change over n days in percent: (C₀ / Cₙ − 1) · 100.

import { percentChange } from '../arithmetic/percent-change.ts';
import type { Kernel } from '../kernel.ts';

export const kernel: Kernel = ({ closes, start, end }, first, lengths, out, row) => {
  for (let day = first; day < end; day++) {
    for (let k = 0; k < lengths.length; k++) {
      const earlier = day - lengths[k]!;
      out[k]![0][row + day - first] = earlier >= start ? percentChange(closes[day]!, closes[earlier]!) : Number.NaN;
    }
  }
};

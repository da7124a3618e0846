// Days from the first close to the latest, both included.

import type { Kernel } from '../kernel.ts';

/** It has no length. */
export const kernel: Kernel = ({ skipped, end }, first, _, out, row) => {
  for (let day = first; day < end; day++) out[0]![0][row + day - first] = skipped + day + 1;
};

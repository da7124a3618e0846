// volume: a volume above 100 times the median of the 60 around it: 30 before and 30 after, without itself. At least half of the 60 must be
// known, so that the newest bar of a series is checked and a young asset is not. A median of zero is no level to compare with.

import { medianOf } from './median.ts';
import { ofEachSource } from './rule.ts';
import { factorText } from './wording.ts';

/** Volumes that share the bound below. */
const BLOCK = 32;

export const volume = ofEachSource('volume', ({ period, volume }, start, settings, report) => {
  const factor = settings['volume-factor'];
  const around = new Float64Array(settings['volume-window']);
  const before = around.length >> 1;
  for (let block = start; block < volume.length; block += BLOCK) {
    const end = Math.min(block + BLOCK, volume.length);
    // No median is below the smallest volume, so that most volumes are done with one comparison.
    const bound = factor * smallest(volume, block - before, end + around.length - before);
    for (let i = block; i < end; i++) {
      if (!(volume[i]! > bound) || volume[i] === Number.POSITIVE_INFINITY) continue;
      const count = volumesAround(volume, i, factor, around);
      if (2 * count < around.length) continue;
      const median = medianOf(around, count);
      if (!(median > 0 && volume[i]! > factor * median)) continue;
      const detail = `The volume is ${factorText(volume[i]! / median)} times the median of the ${count} around it.`;
      report(period[i]!, volume[i]!, median, detail);
    }
  }
});

function smallest(volume: Float64Array, from: number, to: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = Math.max(from, 0); i < Math.min(to, volume.length); i++) if (volume[i]! < least) least = volume[i]!;
  return least;
}

/** Writes the known volumes around `at` and returns their number; 0 as soon as their median is certainly too large for a finding. */
function volumesAround(volume: Float64Array, at: number, factor: number, out: Float64Array): number {
  const before = out.length >> 1;
  const end = Math.min(volume.length, at + out.length - before + 1);
  let [count, large] = [0, 0];
  for (let i = Math.max(0, at - before); i < end; i++) {
    const each = volume[i]!;
    if (i === at || !(each >= 0 && each < Number.POSITIVE_INFINITY)) continue;
    if (factor * each >= volume[at]! && ++large > before) return 0;
    out[count++] = each;
  }
  return count;
}

// volume: a volume above 100 times the median of the 60 around it: 30 before and 30 after, without itself. At least half of the 60 must be
// known, so that the newest bar of a series is checked and a young asset is not. A median of zero is not a level to compare with.

import { medianOf } from './median.ts';
import { ofEachSource } from './rule.ts';
import { factorText } from './wording.ts';

/** Volumes that are looked at together first. */
const BLOCK = 8;

export const volume = ofEachSource('volume', ({ period, volume }, start, settings, report) => {
  const factor = settings['volume-factor'];
  const around = new Float64Array(settings['volume-window']);
  for (let block = start; block < volume.length; block += BLOCK) {
    const end = Math.min(block + BLOCK, volume.length);
    if (isQuiet(volume, block, end, factor, around.length)) continue;
    for (let i = block; i < end; i++) {
      if (!(volume[i]! > 0) || volume[i] === Number.POSITIVE_INFINITY) continue;
      const count = volumesAround(volume, i, factor, around);
      if (2 * count < around.length) continue;
      const median = medianOf(around, count);
      if (!(median > 0 && volume[i]! > factor * median)) continue;
      const detail = `The volume is ${factorText(volume[i]! / median)} times the median of the ${count} around it.`;
      report(period[i]!, volume[i]!, median, detail);
    }
  }
});

/** Whether even the largest volume of a block is certainly not above the median of what is around all of the block, as most are. */
function isQuiet(volume: Float64Array, block: number, end: number, factor: number, window: number): boolean {
  let largest = 0;
  for (let i = block; i < end; i++) if (volume[i]! > largest) largest = volume[i]!;
  const before = window >> 1;
  const last = Math.min(volume.length - 1, block + window - before);
  // More than half, without the volume itself.
  let needed = before + 2;
  for (let i = Math.max(0, end - 1 - before); i <= last; i++)
    if (factor * volume[i]! >= largest && --needed === 0) return true;
  return false;
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

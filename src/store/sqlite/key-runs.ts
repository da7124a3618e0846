// Keys as runs of neighbours: one statement for a run takes a fraction of what one for each key does.

import type { AssetNumber } from '../../domain/asset.ts';

export type KeyRun = readonly [first: AssetNumber, last: AssetNumber];

/** Every key is in just one of them; they ascend. */
export function runsOf(keys: Iterable<AssetNumber>): KeyRun[] {
  const sorted = Uint32Array.from(keys).sort();
  const runs: KeyRun[] = [];
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    do to++;
    while (to < sorted.length && sorted[to]! - sorted[to - 1]! <= 1);
    runs.push([sorted[from]!, sorted[to - 1]!]);
  }
  return runs;
}

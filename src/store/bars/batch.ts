// A batch of bars in the order in which both adapters store it.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BarColumns } from '../../domain/bar.ts';
import type { StoredBars } from '../port/store.ts';

/** The bars of one asset in a sorted batch: `start … end - 1`. */
export interface AssetSpan {
  readonly assetNumber: AssetNumber;
  readonly start: number;
  readonly end: number;
}

/** A batch by asset and day, with one bar per asset and day; its columns are not shared. */
export interface SortedBars extends StoredBars {
  readonly spans: readonly AssetSpan[];
  /**
   * Of bars that were made of finer ones: 1 if none of the finer bars was stored before this batch. If there is such a bar already, those
   * that it was made of have been dropped, and it stays.
   */
  readonly fresh?: Uint8Array;
}

export function sortBars(bars: StoredBars): SortedBars {
  const sorted = inOrder(bars) ? copy(bars) : gather(bars, order(bars));
  return { ...sorted, spans: spansOf(sorted) };
}

/** True for batches that are sorted and without duplicates already, as those of most files are. */
function inOrder({ count, assetNumber, day }: StoredBars): boolean {
  for (let at = 1; at < count; at++) {
    if (
      assetNumber[at]! < assetNumber[at - 1]! ||
      (assetNumber[at] === assetNumber[at - 1] && day[at]! <= day[at - 1]!)
    )
      return false;
  }
  return true;
}

function order({ count, assetNumber, day }: StoredBars): Uint32Array {
  const indices = new Uint32Array(count);
  for (let at = 0; at < count; at++) indices[at] = at;
  return indices.sort((a, b) => assetNumber[a]! - assetNumber[b]! || day[a]! - day[b]! || a - b);
}

function copy(bars: StoredBars): StoredBars {
  const { count } = bars;
  return {
    count,
    assetNumber: bars.assetNumber.slice(0, count),
    day: bars.day.slice(0, count),
    open: bars.open.slice(0, count),
    high: bars.high.slice(0, count),
    low: bars.low.slice(0, count),
    close: bars.close.slice(0, count),
    volume: bars.volume.slice(0, count),
    origin: bars.origin?.slice(0, count),
  };
}

const NUMBERS = ['open', 'high', 'low', 'close', 'volume'] as const satisfies readonly (keyof BarColumns)[];

/** The bars in this order. Those of one asset and day become one, with the latest known number of each field. */
function gather(bars: StoredBars, indices: Uint32Array): StoredBars {
  const sorted = copy(bars);
  let count = 0;
  for (const from of indices) {
    const repeats =
      count > 0 && sorted.assetNumber[count - 1] === bars.assetNumber[from] && sorted.day[count - 1] === bars.day[from];
    const at = repeats ? count - 1 : count++;
    sorted.assetNumber[at] = bars.assetNumber[from]!;
    sorted.day[at] = bars.day[from]!;
    if (sorted.origin && bars.origin) sorted.origin[at] = bars.origin[from]!;
    for (const name of NUMBERS) {
      const value = bars[name][from]!;
      if (!repeats || !Number.isNaN(value)) sorted[name][at] = value;
    }
  }
  return { ...sorted, count };
}

export function spansOf({ count, assetNumber }: Pick<StoredBars, 'count' | 'assetNumber'>): AssetSpan[] {
  const spans: AssetSpan[] = [];
  for (let start = 0; start < count; ) {
    let end = start + 1;
    while (end < count && assetNumber[end] === assetNumber[start]) end++;
    spans.push({ assetNumber: assetNumber[start]!, start, end });
    start = end;
  }
  return spans;
}

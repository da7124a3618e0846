// How a batch of bars meets the bars that are stored already: the rules both adapters follow, apart from any database.

import type { AssetKey } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';
import type { BarChanges, StoredBars } from './store.ts';

/** The bars of one asset in a sorted batch: `start … end - 1`. */
export interface AssetSpan {
  readonly key: AssetKey;
  readonly start: number;
  readonly end: number;
}

/** A batch in the order of asset and day, with one bar for each; its columns belong to it alone. */
export interface SortedBars extends StoredBars {
  readonly spans: readonly AssetSpan[];
}

/** Which days of an asset are stored; without bars `firstDay` and `lastDay` mean nothing. */
export interface Coverage {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly bars: number;
}

/** Asset and the days, both included, in which the store may have bars that the batch has too. */
export interface Overlap {
  readonly key: AssetKey;
  readonly from: number;
  readonly to: number;
}

export interface CoverageChange extends Coverage {
  readonly key: AssetKey;
}

const NEW = 0;
const CHANGED = 1;
const SAME = 2;

export function sortBars(bars: StoredBars): SortedBars {
  const sorted = inOrder(bars) ? copy(bars) : gather(bars, order(bars));
  return { ...sorted, spans: spansOf(sorted) };
}

/** One batch on its way into the store. Tell it what is stored in the overlaps, then ask what to write. */
export class BarMerge {
  readonly #bars: SortedBars;
  readonly #coverage: readonly Coverage[];
  readonly #fate: Uint8Array;
  #cursor = 0;

  /** `coverage` has one entry for each span of the batch. */
  constructor(bars: SortedBars, coverage: readonly Coverage[]) {
    this.#bars = bars;
    this.#coverage = coverage;
    this.#fate = new Uint8Array(bars.count);
  }

  /** A first load and a new day overlap nothing, so that neither needs to read what is stored. */
  overlaps(): Overlap[] {
    const { spans, day } = this.#bars;
    const overlaps: Overlap[] = [];
    for (const [index, span] of spans.entries()) {
      const stored = this.#coverage[index]!;
      if (stored.bars === 0) continue;
      const from = Math.max(stored.firstDay, day[span.start]!);
      const to = Math.min(stored.lastDay, day[span.end - 1]!);
      if (from <= to) overlaps.push({ key: span.key, from, to });
    }
    return overlaps;
  }

  /** A stored bar. To be called in the order of asset and day; a number that is not stored is NaN. */
  stored(key: AssetKey, day: number, open: number, high: number, low: number, close: number, volume: number): void {
    const bars = this.#bars;
    let at = this.#cursor;
    while (at < bars.count && (bars.key[at]! < key || (bars.key[at] === key && bars.day[at]! < day))) at++;
    this.#cursor = at;
    if (at === bars.count || bars.key[at] !== key || bars.day[at] !== day) return;

    keepKnown(bars.open, at, open);
    keepKnown(bars.high, at, high);
    keepKnown(bars.low, at, low);
    keepKnown(bars.volume, at, volume);
    const same =
      bars.close[at] === close &&
      equal(bars.open[at]!, open) &&
      equal(bars.high[at]!, high) &&
      equal(bars.low[at]!, low) &&
      equal(bars.volume[at]!, volume);
    this.#fate[at] = same ? SAME : CHANGED;
  }

  /** Indices of the bars that the store does not have, in the order of asset and day. */
  inserted(): Uint32Array {
    return this.#having(NEW);
  }

  /** Indices of the bars to store in place of others. */
  replaced(): Uint32Array {
    return this.#having(CHANGED);
  }

  changes(): BarChanges {
    const counts = [0, 0, 0];
    for (const fate of this.#fate) counts[fate]!++;
    return { inserted: counts[NEW]!, replaced: counts[CHANGED]!, unchanged: counts[SAME]! };
  }

  /** The assets whose bars change, with the coverage that they get. */
  changedAssets(): CoverageChange[] {
    const { spans, day } = this.#bars;
    const changed: CoverageChange[] = [];
    for (const [index, span] of spans.entries()) {
      let inserted = 0;
      let replaced = 0;
      for (let at = span.start; at < span.end; at++) {
        if (this.#fate[at] === NEW) inserted++;
        else if (this.#fate[at] === CHANGED) replaced++;
      }
      if (inserted + replaced === 0) continue;
      const stored = this.#coverage[index]!;
      const [first, last] = [day[span.start]!, day[span.end - 1]!];
      changed.push({
        key: span.key,
        firstDay: stored.bars === 0 ? first : Math.min(stored.firstDay, first),
        lastDay: stored.bars === 0 ? last : Math.max(stored.lastDay, last),
        bars: stored.bars + inserted,
      });
    }
    return changed;
  }

  #having(fate: number): Uint32Array {
    const indices = new Uint32Array(this.#bars.count);
    let count = 0;
    for (let at = 0; at < this.#fate.length; at++) if (this.#fate[at] === fate) indices[count++] = at;
    return indices.subarray(0, count);
  }
}

function keepKnown(column: Float64Array, at: number, known: number): void {
  if (Number.isNaN(column[at])) column[at] = known;
}

function equal(a: number, b: number): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}

/** True for batches without duplicates that come in order already, as most files have them. */
function inOrder({ count, key, day }: StoredBars): boolean {
  for (let at = 1; at < count; at++) {
    if (key[at]! < key[at - 1]! || (key[at] === key[at - 1] && day[at]! <= day[at - 1]!)) return false;
  }
  return true;
}

function order({ count, key, day }: StoredBars): Uint32Array {
  const indices = new Uint32Array(count);
  for (let at = 0; at < count; at++) indices[at] = at;
  return indices.sort((a, b) => key[a]! - key[b]! || day[a]! - day[b]! || a - b);
}

function copy(bars: StoredBars): StoredBars {
  const { count } = bars;
  return {
    count,
    key: bars.key.slice(0, count),
    day: bars.day.slice(0, count),
    open: bars.open.slice(0, count),
    high: bars.high.slice(0, count),
    low: bars.low.slice(0, count),
    close: bars.close.slice(0, count),
    volume: bars.volume.slice(0, count),
  };
}

const NUMBERS = ['open', 'high', 'low', 'close', 'volume'] as const satisfies readonly (keyof BarColumns)[];

/** The bars in this order, those of one asset and day made one: each number is the latest that is known. */
function gather(bars: StoredBars, indices: Uint32Array): StoredBars {
  const sorted = copy(bars);
  let count = 0;
  for (const from of indices) {
    const repeats = count > 0 && sorted.key[count - 1] === bars.key[from] && sorted.day[count - 1] === bars.day[from];
    const at = repeats ? count - 1 : count++;
    sorted.key[at] = bars.key[from]!;
    sorted.day[at] = bars.day[from]!;
    for (const name of NUMBERS) {
      const value = bars[name][from]!;
      if (!repeats || !Number.isNaN(value)) sorted[name][at] = value;
    }
  }
  return { ...sorted, count };
}

function spansOf({ count, key }: StoredBars): AssetSpan[] {
  const spans: AssetSpan[] = [];
  for (let start = 0; start < count; ) {
    let end = start + 1;
    while (end < count && key[end] === key[start]) end++;
    spans.push({ key: key[start]!, start, end });
    start = end;
  }
  return spans;
}

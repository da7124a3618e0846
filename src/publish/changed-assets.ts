// Which assets a publication checks, and from which period on.

import { partitionPoint } from '../common/partition-point.ts';
import type { AssetNumber } from '../domain/asset.ts';
import type { AssetStore, Series } from '../store/store.ts';

/** In place of a period: all bars. */
export const ALL = Number.NEGATIVE_INFINITY;
/** After a change further back than this, all bars are read. */
const RECENT = 512;

/** An asset and the first of its periods whose bar differs from the published one. */
export interface Changed {
  readonly assetNumber: AssetNumber;
  readonly first: number;
  /** The oldest published period. */
  readonly published: number;
}

/** What is to be checked, as columns: an object for each of many assets takes longer than to check most of them. */
export class ChangedAssets {
  /** Ascending. */
  readonly #assets: Uint32Array;
  readonly first: Float64Array;
  readonly published: Float64Array;
  readonly #isChecked: Uint8Array;
  /** Assets are mostly asked for in their order. */
  #next = 0;

  /** All bars of each, until more is known. */
  constructor(assets: Iterable<AssetNumber>) {
    this.#assets = Uint32Array.from(assets).sort();
    this.first = new Float64Array(this.#assets.length).fill(ALL);
    this.published = new Float64Array(this.#assets.length).fill(ALL);
    this.#isChecked = new Uint8Array(this.#assets.length);
  }

  /** Where an asset is that is still to be checked; -1 for any other. */
  find(asset: AssetNumber): number {
    const assets = this.#assets;
    if (assets[this.#next] !== asset) this.#next = partitionPoint(0, assets.length, i => assets[i]! < asset);
    const at = this.#next;
    if (assets[at] !== asset) return -1;
    this.#next++;
    return this.#isChecked[at] === 1 ? -1 : at;
  }

  checked(at: number): void {
    this.#isChecked[at] = 1;
  }

  /** What is still to be checked. */
  rest(): Changed[] {
    const rest: Changed[] = [];
    for (const [at, assetNumber] of this.#assets.entries()) {
      if (this.#isChecked[at] === 0) rest.push({ assetNumber, first: this.first[at]!, published: this.published[at]! });
    }
    return rest;
  }
}

export async function allAssets(store: Pick<AssetStore, 'assets'>): Promise<ChangedAssets> {
  return new ChangedAssets((await store.assets()).map(({ assetNumber }) => assetNumber));
}

/** The newest published bar may have changed without a record of it. */
export async function changedSince(series: Series, pending: readonly AssetNumber[]): Promise<ChangedAssets> {
  const found = new ChangedAssets(pending);
  if (pending.length === 0) return found;
  const [spans, replaced] = await Promise.all([series.publishedSpans(pending), series.replacedCloses()]);
  for (let i = 0; i < spans.assetNumber.length; i++) {
    const at = found.find(spans.assetNumber[i]!);
    if (at < 0) continue;
    found.first[at] = spans.last[i]!;
    found.published[at] = spans.first[i]!;
  }
  const newest = found.first.slice();
  for (let i = 0; i < replaced.assetNumber.length; i++) {
    const at = found.find(replaced.assetNumber[i]!);
    if (at >= 0 && replaced.day[i]! < found.first[at]!) found.first[at] = replaced.day[i]!;
  }
  for (let at = 0; at < newest.length; at++) if (newest[at]! - found.first[at]! > RECENT) found.first[at] = ALL;
  return found;
}

// The bars of every base interval, each apart from the others.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval, Period } from '../../domain/interval.ts';
import type { BarStore, StoredBars } from './bars.ts';
import type { CorrectionStore } from './corrections.ts';

export interface SeriesStore {
  /** The bars of a base interval. Those of days are the ones that the store itself has. */
  series(interval: BaseInterval): Series;
  /** What there is of each base interval, from the shortest to the longest. */
  intervals(): Promise<IntervalTotals[]>;
}

export interface Series extends BarStore, Pick<CorrectionStore, 'barsOfLoad' | 'removeBars'> {
  /**
   * The oldest and the newest period that each of these assets (all without them) had when it was published last, by asset number,
   * without assets that had no bars.
   * Of finer intervals than a day, `publishedBars` and its like have no bars outside of them: they came later.
   */
  publishedSpans(assets?: readonly AssetNumber[]): Promise<PublishedSpans>;
  /**
   * Of each asset of `assets`, all bars from one period to another, both included, become exactly those of `bars`, with their origins, in one
   * transaction: numbers that they lack are erased, other bars removed. Nothing is made of them. Assets whose bars change become pending,
   * and the closes that change are kept as `putBars` keeps them. Fails as a whole for an unknown asset.
   */
  replaceBars(assets: readonly AssetNumber[], from: Period, to: Period, bars: StoredBars): Promise<void>;
  /** The numbers of the loads that delivered the bars of each of these assets, 0 for unknown ones; without assets that have no bars. */
  deliveringLoads(assets: readonly AssetNumber[]): Promise<Map<AssetNumber, Set<number>>>;
  /**
   * Removes the bars of the periods before this one, except for some of the newest that are stored together with later ones: less than 8
   * hours of minutes, or 4 days of hours. Returns how many. What was made of them stays. Fails for days.
   */
  dropBefore(period: Period): Promise<number>;
}

export interface PublishedSpans {
  /** The published one. */
  readonly version: number;
  readonly assetNumber: Uint32Array;
  readonly first: Int32Array;
  readonly last: Int32Array;
}

export interface IntervalTotals {
  readonly interval: BaseInterval;
  readonly bars: number;
  /** Null without bars. */
  readonly first: Period | null;
  readonly last: Period | null;
  /** Bars before this period were dropped; null if none were. */
  readonly droppedBefore: Period | null;
}

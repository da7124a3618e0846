// Daily bars.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BarColumns } from '../../domain/bar.ts';
import type { Day } from '../../domain/day.ts';
import type { Closes, ReplacedBatch } from '../replaced-closes.ts';

export interface BarStore {
  /**
   * Inserts or replaces bars, one per asset and day, and marks the assets whose bars changed as pending, all in one
   * transaction: when it returns, the bars survive a crash. A later bar of the same asset and day counts, in a batch as
   * between batches; a number that it lacks (NaN) never erases one that is known. Fails as a whole for an unknown asset.
   */
  putBars(bars: StoredBars): Promise<BarChanges>;
  /** The bars of one asset, oldest first, from and to included. */
  bars(key: AssetNumber, from: Day, to: Day): Promise<BarColumns>;
  /**
   * The closes of one asset that its published row was made from, whatever has been loaded since. None when another version is
   * published than the one that is asked for, if one is.
   */
  publishedCloses(key: AssetNumber, from: Day, to: Day, version?: number): Promise<PublishedCloses>;
  /** Of all assets, what `putBars` has replaced since they were published. */
  replacedCloses(): Promise<ReplacedBatch>;
  /**
   * The closes of these assets, one for each day, from `days` days before each one's newest close on, or from its oldest; oldest
   * first. A day without a close has the one before it, also where that one is older than asked for. None for an unknown asset.
   * Holds all of it in memory: ask for some hundred assets at a time.
   */
  closes(keys: readonly AssetNumber[], days: number): Promise<DailyCloses>;
}

export interface StoredBars extends BarColumns {
  readonly count: number;
  /** The asset of each bar. */
  readonly key: Uint32Array;
}

export interface PublishedCloses {
  /** What is published. */
  readonly version: number;
  /** Oldest first; null when this is not the version that was asked for. */
  readonly closes: Closes | null;
}

/** Counts of assets × days: two bars of one asset and day in a batch are one. */
export interface BarChanges {
  readonly inserted: number;
  readonly replaced: number;
  readonly unchanged: number;
}

export interface DailyCloses {
  /** One more than there are keys: the closes of `keys[i]` are `starts[i] … starts[i + 1] - 1`. */
  readonly starts: Uint32Array;
  readonly close: Float64Array;
  /** Days of the oldest close of `keys[i]` of all, not only of these, and of the newest; without closes they mean nothing. */
  readonly firstDay: Int32Array;
  readonly lastDay: Int32Array;
}

// The bars of one base interval. What is called a day here is a period of that interval.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BarColumns } from '../../domain/bar.ts';
import type { Period } from '../../domain/interval.ts';
import type { Origins } from './origins.ts';
import type { Closes, ReplacedBatch } from './replaced-closes.ts';

export interface BarStore {
  /**
   * Inserts or replaces bars, one per asset and day, and marks the assets whose bars changed as pending, all in one
   * transaction: when it returns, the bars survive a crash. The bars of each coarser base interval that they are part of are made anew in
   * the same transaction, except those that were loaded. A later bar replaces an earlier one of the same asset and day, within a
   * batch as between batches; a number that it lacks (NaN) never erases a known one. Fails as a whole for an unknown asset. `load` is
   * the origin of the closes that change; without it their origin is unknown. The caller may reuse the memory of the bars as soon as
   * the call has returned its promise.
   */
  putBars(bars: StoredBars, load?: number): Promise<BarChanges>;
  /** The bars of one asset, oldest first, from and to included. */
  bars(asset: AssetNumber, from: Period, to: Period): Promise<BarColumns>;
  /**
   * The bars of several assets, each from a period of its own on, oldest first. An unknown asset has none. All of it is held in memory.
   */
  barsFrom(assets: readonly AssetNumber[], from: readonly number[]): Promise<BarsOfAssets>;
  /**
   * The closes that the published row of one asset was computed from, whatever was loaded since. With `version`, null if another
   * version is published.
   */
  publishedCloses(asset: AssetNumber, from: Period, to: Period, version?: number): Promise<PublishedCloses>;
  /**
   * The bars of the days that `publishedCloses` has, with the same closes. On a day whose close was replaced since, the other numbers are
   * NaN: those that belonged to the published close are gone. Numbers that were loaded without a new close are those stored now.
   */
  publishedBars(asset: AssetNumber, from: Period, to: Period, version?: number): Promise<PublishedBars>;
  /** The origins of the stored closes of one asset, as far as they are known. */
  origins(asset: AssetNumber): Promise<Origins>;
  /** The same of the closes that `publishedCloses` has. The origin of a close that was replaced since is unknown. */
  publishedOrigins(asset: AssetNumber, from: Period, to: Period, version?: number): Promise<PublishedOrigins>;
  /**
   * The closes of all assets that `putBars` has replaced since they were published, and those of days before the latest whose other
   * numbers it has changed: a computation that continues from an earlier day is wrong from the first of these days.
   */
  replacedCloses(): Promise<ReplacedBatch>;
  /**
   * One close per asset and day, oldest first: of the newest day of each asset and of `days` days before it, or since its oldest day.
   * A day without a close has the close before it, even one older than `days`. An unknown asset has none. All of it is held in memory:
   * ask for some hundred assets at a time. With `until`, as if there were no bars after that day.
   */
  closes(assets: readonly AssetNumber[], days: number, until?: Period, also?: AlsoOfCloses): Promise<DailyCloses>;
  /**
   * The same days with all numbers; NaN is an unknown one. A day without a bar has the close before it as open, high and low, and a
   * volume of 0.
   */
  dailyBars(
    assets: readonly AssetNumber[],
    days: number,
    until?: Period,
    also?: Pick<AlsoOfCloses, 'closeDays'>,
  ): Promise<DailyBarBatch>;
}

export interface StoredBars extends BarColumns {
  readonly count: number;
  /** The asset of each bar. */
  readonly assetNumber: Uint32Array;
  /** The origins as another store had them, 0 for an unknown one; `putBars` takes them instead of its `load`. */
  readonly origin?: Int32Array | undefined;
}

export interface BarsOfAssets extends BarColumns {
  /** One more than there are assets: the bars of `assets[i]` are `starts[i] … starts[i + 1] - 1`. */
  readonly starts: Uint32Array;
  /** Period of the oldest bar of `assets[i]` in the store; undefined without bars. */
  readonly firstDay: Int32Array;
  /** The numbers that any of these bars may have; the others are NaN. */
  readonly known: readonly Exclude<keyof BarColumns, 'day'>[];
}

export interface PublishedCloses {
  /** The published one. */
  readonly version: number;
  /** Oldest first; null if this is not the wanted version. */
  readonly closes: Closes | null;
}

export interface PublishedBars {
  /** The published one. */
  readonly version: number;
  /** Oldest first; null if this is not the wanted version. */
  readonly bars: BarColumns | null;
}

export interface PublishedOrigins {
  /** The published one. */
  readonly version: number;
  /** Null if this is not the wanted version. */
  readonly origins: Origins | null;
}

/** Counts of assets × days: two bars of one asset and day in a batch are one. */
export interface BarChanges {
  readonly inserted: number;
  readonly replaced: number;
  readonly unchanged: number;
}

export interface DailyCloses {
  /** One more than there are assets: the closes of `assets[i]` are `starts[i] … starts[i + 1] - 1`. */
  readonly starts: Uint32Array;
  readonly close: Float64Array;
  /** Days of the oldest and the newest close of `assets[i]` in the store; undefined without closes. */
  readonly firstDay: Int32Array;
  readonly lastDay: Int32Array;
  /** Of `assets[i]`, the day that each close was delivered for, which is an earlier one if it was carried forward; null if none was. */
  readonly closeDays?: readonly (Int32Array | null)[];
  /** Whether these assets have no other number on these days; false if that is not known. */
  readonly onlyCloses?: boolean;
}

/** What `closes` tells of them if it is asked to. */
export interface AlsoOfCloses {
  readonly closeDays?: boolean;
  readonly onlyCloses?: boolean;
}

export interface DailyBarBatch extends DailyCloses, Pick<BarColumns, 'open' | 'high' | 'low' | 'volume'> {}

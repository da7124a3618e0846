// The bars of each source of an asset, side by side.
//
// While an asset has one source and nothing corrects or adjusts it, the bars of that source are the served ones and are stored once. Else
// the bars of each source are kept apart, and the publication makes the served ones of them by the price rule.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import type { SourceBars } from '../../domain/source-bars.ts';
import type { BarChanges, StoredBars } from './bars.ts';
import type { BarPlaces, LoadBars } from './corrections.ts';

export interface SourceStore {
  /** Those that are recorded of these assets, or of all, by asset and first load. Assets of an older store have none. */
  sources(assets?: readonly AssetNumber[]): Promise<StoredSource[]>;
  /** The only source that is recorded, and of how many assets; null if there are several, or if bars of one are kept apart. */
  onlySource(): Promise<{ readonly name: string; readonly assets: number } | null>;
  /** The assets whose sources are kept apart, by number. */
  separateAssets(): Promise<AssetNumber[]>;
  /** Records new ones whose bars are the served ones. */
  putSources(sources: readonly Omit<StoredSource, 'separate'>[]): Promise<void>;
  /**
   * Keeps the bars of the sources of an asset apart from now on, in one transaction. The bars are all that it has now: the caller is the
   * only one who writes.
   */
  separateSources(asset: AssetNumber, sources: readonly SeparatedSource[]): Promise<void>;
  /**
   * As `putBars` for one source of separate assets: within the source the later load wins, and its own hours and days are made anew. Records
   * the source, and marks the assets as pending and as unmerged from their first bar on, in the same transaction. Bars with origins are stored as they are,
   * and nothing is made of them.
   */
  putSourceBars(source: string, interval: BaseInterval, bars: StoredBars, load: number): Promise<BarChanges>;
  /** As `removeBars`. */
  removeSourceBars(source: string, interval: BaseInterval, places: BarPlaces): Promise<number>;
  /** The bars of separate assets by source, in the order of `sources`, from and to included. Without sources that have none. */
  sourceBars(
    assets: readonly AssetNumber[],
    interval: BaseInterval,
    from: number,
    to: number,
  ): Promise<Map<AssetNumber, SourceSeries[]>>;
  /** The oldest and the newest period that one source of a separate asset has; null if it has none. */
  sourceSpan(
    asset: AssetNumber,
    source: string,
    interval: BaseInterval,
  ): Promise<{ readonly first: number; readonly last: number } | null>;
  /** As `barsOfLoad`, by source. */
  sourceBarsOfLoad(interval: BaseInterval, load: number): Promise<Map<string, LoadBars>>;
  /** As `dropBefore`, of all sources that are kept apart. */
  dropSourceBars(interval: BaseInterval, period: number): Promise<void>;
  /** Forgets all that is recorded of an asset here and among the reviews: its sources with their bars, rules, corrections, actions, findings. */
  forgetSources(asset: AssetNumber): Promise<void>;
  unmerged(): Promise<Unmerged[]>;
  /** Adds to those that are unmerged already, from the earlier period on, and marks their assets as pending. */
  markUnmerged(places: readonly Unmerged[]): Promise<void>;
  forgetUnmerged(places: readonly Unmerged[]): Promise<void>;
  priceRules(): Promise<StoredPriceRule[]>;
  /** Replaces all of them, and marks these as unmerged, in one transaction. */
  setPriceRules(rules: readonly StoredPriceRule[], unmerged: readonly Unmerged[]): Promise<void>;
}

export interface StoredSource {
  readonly assetNumber: AssetNumber;
  readonly name: string;
  /** 0 if it is unknown. Sources that a price rule does not name come in the order of their first loads. */
  readonly firstLoad: number;
  /** Whether its bars are kept apart from the served ones. */
  readonly separate: boolean;
}

export interface SeparatedSource extends Pick<StoredSource, 'name' | 'firstLoad'> {
  /** With their origins. */
  readonly bars: Readonly<Partial<Record<BaseInterval, StoredBars>>>;
}

/** Bars of one source with their origins. */
export interface SourceSeries extends SourceBars {
  readonly source: string;
  readonly origin: Int32Array;
}

/** From this period on, the served bars of an asset are not yet made of those of its sources. */
export interface Unmerged {
  readonly assetNumber: AssetNumber;
  readonly interval: BaseInterval;
  readonly firstPeriod: number;
}

/** The price rule of one asset, or with the number 0 that of all assets without one. */
export interface StoredPriceRule {
  readonly assetNumber: AssetNumber;
  readonly rule: unknown;
}

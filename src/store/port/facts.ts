// Facts of assets with their history: the rank, the circulating supply and the market capitalisation of past days.
//
// A rank or a supply holds from the day on which it became known until the day of the next one. A market capitalisation is of its day alone.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';

/** When facts became known, and from which load. */
export interface KnownAt {
  readonly day: Day;
  readonly load: number;
}

/** What became known of one asset on one day; a fact that is missing did not change. */
export interface FactRecord extends KnownAt {
  /** Null from a day on which the source no longer gives it. */
  readonly rank?: number | null;
  readonly supply?: number | null;
  /** As a source gives it, in USD. */
  readonly marketCap?: number;
}

/** What a source says of an asset on a day. */
export interface FactRow extends Omit<FactRecord, 'load'> {
  readonly assetNumber: AssetNumber;
}

/** One number per asset that was asked for; NaN for none. */
export interface FactsOnDays {
  readonly rank: Float64Array;
  readonly supply: Float64Array;
  readonly marketCap: Float64Array;
}

/** By asset and day. */
export interface FactChanges {
  readonly inserted: number;
  readonly replaced: number;
  readonly unchanged: number;
}

export interface FactStore {
  /** Each asset on a day of its own; an asset may come with several days. */
  factsOn(assetNumbers: ArrayLike<AssetNumber>, days: ArrayLike<number>): Promise<FactsOnDays>;
  /** All of one asset, oldest first. */
  factsOf(asset: AssetNumber): Promise<FactRecord[]>;
  /** In any order; of two rows of one asset and day the later one counts. Assets that change become pending. */
  putFacts(rows: readonly FactRow[], load: number): Promise<FactChanges>;
  /** The history of a store that has none begins with the current facts of all assets. */
  beginFacts(at: KnownAt): Promise<void>;
}

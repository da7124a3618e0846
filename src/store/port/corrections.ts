// Taking out of a store what should not have been loaded.

import type { AssetNumber } from '../../domain/asset.ts';

export interface CorrectionStore {
  /**
   * The bars whose close this load delivered, by asset and day. The store does not know of which bars it changed other numbers alone, nor
   * the closes that it replaced.
   */
  barsOfLoad(load: number): Promise<LoadBars>;
  /**
   * Removes bars and marks their assets as pending, in one transaction. Returns how many there were: a place without a bar is passed
   * over. Until the next publication, `publishedCloses` still has their closes.
   */
  removeBars(places: BarPlaces): Promise<number>;
  /** Marks the asset as pending; false if it has no profile. */
  removeProfile(asset: AssetNumber): Promise<boolean>;
  /** Removes the history of its facts. */
  removeFacts(asset: AssetNumber): Promise<void>;
}

/** One place per asset and day, in any order. */
export interface BarPlaces {
  readonly assetNumber: Uint32Array;
  readonly day: Int32Array;
}

export interface LoadBars extends BarPlaces {
  /** 1 if the close replaced another one. */
  readonly replaced: Uint8Array;
}

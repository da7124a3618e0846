// Looking up one asset of a snapshot, by id or by ticker.

import type { Asset } from '../domain/asset.ts';
import type { AssetState } from '../domain/asset-state.ts';

export interface IndexedAsset
  extends Pick<Asset, 'assetNumber' | 'id' | 'symbol' | 'name' | 'rank' | 'type'>,
    AssetState {}

/** Lookups ignore case. */
export interface AssetIndex {
  byId(id: string): IndexedAsset | null;
  /** Every asset with the ticker, sorted by id. */
  bySymbol(symbol: string): IndexedAsset[];
  /** The most similar id; null when none is similar. */
  nearest(id: string): string | null;
}

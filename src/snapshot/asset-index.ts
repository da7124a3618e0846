// Finding one asset of a snapshot: what is known of it, and by what it can be asked for.

import type { Asset } from '../domain/asset.ts';
import type { AssetState } from '../domain/asset-state.ts';

export interface IndexedAsset extends Pick<Asset, 'key' | 'id' | 'symbol' | 'name' | 'rank' | 'type'>, AssetState {}

/** Neither ids nor tickers mind their case. */
export interface AssetIndex {
  byId(id: string): IndexedAsset | null;
  /** Every asset that has the ticker, by id. */
  bySymbol(symbol: string): IndexedAsset[];
  /** The id that was probably meant; null when none is near. */
  nearest(id: string): string | null;
}

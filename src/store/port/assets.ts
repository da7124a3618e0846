// Assets: what is traded, apart from its bars.

import type { Asset, AssetDraft, AssetNumber } from '../../domain/asset.ts';
import type { KnownAt } from './facts.ts';

export interface AssetStore {
  assets(): Promise<Asset[]>;
  /** The assets with this ticker, whatever the case of its ASCII letters. */
  assetsWithTicker(ticker: string): Promise<Asset[]>;
  /**
   * The assets whose facts changed after `version`, and the version that they make up. With `all`, these are all assets: for a version
   * that is 0 or unknown to this store. Bars and profiles are not facts.
   */
  assetsSince(version: number): Promise<AssetChanges>;
  /** The same, but passes the assets to `take` in parts, which need not all be in memory at a time. */
  readAssetsSince(
    version: number,
    take: (assets: readonly AssetFacts[]) => void,
  ): Promise<Omit<AssetChanges, 'assets'>>;
  /**
   * Creates assets with a new id and updates those that differ; both become pending. Returns their numbers in the order of the drafts.
   * Of two drafts with one id the later one counts. With `at`, changed ranks and supplies are recorded as facts of that day.
   */
  putAssets(drafts: readonly AssetDraft[], at?: KnownAt): Promise<AssetNumber[]>;
  /** Gives a provisional asset the identity that a profile brought; its bars stay. Fails when the id is taken. */
  renameAsset(asset: AssetNumber, draft: AssetDraft, at?: KnownAt): Promise<void>;
  /** Assets that change become pending. */
  setDelisted(assets: readonly AssetNumber[], delisted: boolean): Promise<void>;
}

/** An asset apart from its bars. */
export type AssetFacts = Omit<Asset, 'firstDay' | 'lastDay' | 'bars'>;

export interface AssetChanges {
  readonly version: number;
  readonly all: boolean;
  readonly assets: readonly AssetFacts[];
}

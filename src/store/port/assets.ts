// Assets: what is traded, apart from its bars.

import type { Asset, AssetDraft, AssetNumber } from '../../domain/asset.ts';

export interface AssetStore {
  assets(): Promise<Asset[]>;
  /**
   * What is known of the assets whose facts changed after `version`, with the version that they bring; `all` when these are all
   * there are, for a version that is 0 or not yet reached. Bars and profiles are no facts.
   */
  assetsSince(version: number): Promise<AssetChanges>;
  /**
   * Creates what is new by id and updates what differs; returns the keys in the order of the drafts. Marks new and changed
   * ones as pending. Of two drafts with one id the later counts.
   */
  putAssets(drafts: readonly AssetDraft[]): Promise<AssetNumber[]>;
  /** Gives a provisional asset the identity that a profile brought; its bars stay. Fails when the id is taken. */
  renameAsset(key: AssetNumber, draft: AssetDraft): Promise<void>;
  /** Marks those that it changes as pending. */
  setDelisted(keys: readonly AssetNumber[], delisted: boolean): Promise<void>;
}

/** An asset apart from its bars. */
export type AssetFacts = Omit<Asset, 'firstDay' | 'lastDay' | 'bars'>;

export interface AssetChanges {
  readonly version: number;
  readonly all: boolean;
  readonly assets: readonly AssetFacts[];
}

// Profiles: the texts and links that describe an asset.

import type { AssetNumber } from '../../domain/asset.ts';
import type { SourcedProfile } from '../../domain/profile.ts';

export interface ProfileStore {
  /** Assets whose profile changes become pending, so that servers read it with the next publication. */
  putProfiles(
    profiles: readonly { readonly assetNumber: AssetNumber; readonly sourced: SourcedProfile }[],
  ): Promise<ProfileChanges>;
  profile(asset: AssetNumber): Promise<SourcedProfile | null>;
  profiles(): AsyncIterable<{ readonly assetNumber: AssetNumber; readonly sourced: SourcedProfile }>;
}

export interface ProfileChanges {
  readonly inserted: number;
  readonly replaced: number;
  readonly unchanged: number;
}

// Profiles: the texts and links that describe an asset.

import type { AssetNumber } from '../../domain/asset.ts';
import type { SourcedProfile } from '../../domain/profile.ts';

export interface ProfileStore {
  /** Marks those that it changes as pending, so that servers learn of them by the next version. */
  putProfiles(
    profiles: readonly { readonly key: AssetNumber; readonly sourced: SourcedProfile }[],
  ): Promise<ProfileChanges>;
  profile(key: AssetNumber): Promise<SourcedProfile | null>;
  profiles(): AsyncIterable<{ readonly key: AssetNumber; readonly sourced: SourcedProfile }>;
}

export interface ProfileChanges {
  readonly inserted: number;
  readonly replaced: number;
  readonly unchanged: number;
}

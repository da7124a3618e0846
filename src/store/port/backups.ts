// The whole store at once, for backups.

import type { AssetNumber } from '../../domain/asset.ts';
import type { ReplacedBatch } from '../replaced-closes.ts';
import type { KeyStore, StoredKey, UsageStore } from './api-keys.ts';
import type { AssetStore } from './assets.ts';
import type { BarStore } from './bars.ts';
import type { LoadLog, StoredLoad } from './loads.ts';
import type { ProfileStore } from './profiles.ts';
import type { PublicationStore } from './publications.ts';
import type { StoreState } from './state.ts';

export interface BackupStore {
  /** Gives `work` the store as it is at one moment, however long that takes, while others write. */
  readConsistently<T>(work: (view: StoreView) => Promise<T>): Promise<T>;
  /**
   * Fills a store that is empty (no assets, no loads, no keys; else it fails) in one transaction: servers see all of it or
   * nothing, and when `work` fails or the process dies, it is as empty as before.
   */
  fill(work: (target: FillTarget) => Promise<void>): Promise<void>;
}

/** What a backup reads. */
export type StoreView = Pick<AssetStore, 'assets' | 'assetsSince'> &
  Pick<ProfileStore, 'profiles'> &
  Pick<BarStore, 'bars' | 'replacedCloses'> &
  Pick<PublicationStore, 'pending' | 'version' | 'currentSince'> &
  Pick<LoadLog, 'loads' | 'rejects'> &
  Pick<StoreState, 'totals'> &
  Pick<KeyStore, 'keys' | 'keysVersion'> &
  Pick<UsageStore, 'usage' | 'lastUses'>;

/** What a restored backup is written to. */
export interface FillTarget
  extends Pick<AssetStore, 'putAssets'>,
    Pick<ProfileStore, 'putProfiles'>,
    Pick<BarStore, 'putBars'>,
    Pick<PublicationStore, 'publish'>,
    Pick<LoadLog, 'addRejects'>,
    Pick<UsageStore, 'addUsage'> {
  /** As they are, numbers included. */
  putLoads(loads: readonly StoredLoad[]): Promise<void>;
  putKeys(keys: readonly StoredKey[]): Promise<void>;
  /** After what is published. */
  putReplaced(batch: ReplacedBatch): Promise<void>;
  /** The last step: which assets are pending, and the versions that servers will see. */
  settle(state: FilledState): Promise<void>;
}

export interface FilledState {
  readonly pending: readonly AssetNumber[];
  readonly version: number;
  readonly keysVersion: number;
}

// The part of the store interface for backups: read a whole store in one transaction, and fill an empty one.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval, FineInterval } from '../../domain/interval.ts';
import type { AlertStore, StoredAlert, StoredDelivery } from './alerts.ts';
import type { KeyStore, StoredKey, UsageStore } from './api-keys.ts';
import type { AssetStore } from './assets.ts';
import type { BarStore } from './bars.ts';
import type { FactRecord, FactStore } from './facts.ts';
import type { LoadLog, StoredLoad } from './loads.ts';
import type { ProfileStore } from './profiles.ts';
import type { PublicationStore } from './publications.ts';
import type { ReplacedBatch } from './replaced-closes.ts';
import type { ReviewStore } from './reviews.ts';
import type { SeriesStore } from './series.ts';
import type { SourceStore } from './sources.ts';
import type { StoreState } from './state.ts';

export interface BackupStore {
  /** Everything that `work` reads is of one point in time, however long it takes, while others write. */
  readConsistently<T>(work: (view: StoreView) => Promise<T>): Promise<T>;
  /**
   * Fills a store in one transaction: servers see all of it or nothing, and if `work` fails or the process dies, the store is as empty as
   * before. Fails if the store has assets, loads or API keys.
   */
  fill(work: (target: FillTarget) => Promise<void>): Promise<void>;
}

/** What a backup, an export and `verify` read. */
export type StoreView = Pick<AssetStore, 'assets' | 'assetsSince' | 'readAssetsSince' | 'assetsWithTicker'> &
  Pick<ProfileStore, 'profiles'> &
  Pick<FactStore, 'factsOn' | 'factsOf'> &
  Pick<BarStore, 'bars' | 'closes' | 'dailyBars' | 'origins' | 'replacedCloses' | 'publishedCloses' | 'publishedBars'> &
  SeriesStore &
  Pick<PublicationStore, 'pending' | 'version' | 'currentSince' | 'readCurrentSince' | 'rewrittenSince'> &
  Pick<LoadLog, 'loads' | 'rejects'> &
  Pick<StoreState, 'totals'> &
  Pick<KeyStore, 'keys' | 'keysVersion'> &
  Pick<UsageStore, 'usage' | 'lastUses'> &
  Pick<AlertStore, 'alerts' | 'deliveries'> &
  Pick<SourceStore, 'sources' | 'separateAssets' | 'sourceBars' | 'priceRules' | 'unmerged'> &
  Pick<ReviewStore, 'findings' | 'acceptances' | 'corrections' | 'actions' | 'checks'> & {
    /** The rows of sources, price rules, corrections, actions and findings. */
    copiedRows(): AsyncIterable<CopiedRow>;
  };

/** A row of a small table, by the names of its fields; bytes are in Base64. */
export interface CopiedRow {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** What a restored backup is written to. */
export interface FillTarget
  extends Pick<AssetStore, 'putAssets'>,
    Pick<ProfileStore, 'putProfiles'>,
    Pick<SeriesStore, 'series'>,
    Pick<PublicationStore, 'publish'>,
    Pick<LoadLog, 'addRejects'>,
    Pick<UsageStore, 'addUsage'> {
  /** All facts of one asset, oldest first. */
  putFactRecords(asset: AssetNumber, records: readonly FactRecord[]): Promise<void>;
  /** With their own numbers. */
  putLoads(loads: readonly StoredLoad[]): Promise<void>;
  putKeys(keys: readonly StoredKey[]): Promise<void>;
  putAlerts(alerts: readonly StoredAlert[]): Promise<void>;
  /** Oldest first. */
  putDeliveries(deliveries: readonly StoredDelivery[]): Promise<void>;
  /** After the publication. */
  putReplaced(interval: BaseInterval, batch: ReplacedBatch): Promise<void>;
  /** After the publication: which periods of these assets were published; null: none. */
  putPublishedSpans(
    interval: FineInterval,
    spans: ReadonlyMap<AssetNumber, readonly [first: number, last: number] | null>,
  ): Promise<void>;
  /** Those of one table may come in several parts. */
  putCopiedRows(rows: readonly CopiedRow[]): Promise<void>;
  /** The last step: which assets are pending, and the versions that servers will see. */
  settle(state: FilledState): Promise<void>;
}

/** What an adapter writes as it was in another store. The rest of a backup is written as a load does it. */
export type DirectFilling = Omit<
  FillTarget,
  'putAssets' | 'putProfiles' | 'series' | 'publish' | 'addRejects' | 'addUsage'
>;

export interface FilledState {
  readonly pending: readonly AssetNumber[];
  readonly version: number;
  readonly keysVersion: number;
  /** Of each interval whose old bars were dropped, the first period that was kept. */
  readonly dropped: Readonly<Partial<Record<BaseInterval, number>>>;
}

// The port of the store, by concern. Each adapter has all of it in one object; code that needs one concern takes that type.
// `test/contract/store.ts` says what each adapter must do.

import type { AlertStore } from './alerts.ts';
import type { KeyStore, UsageStore } from './api-keys.ts';
import type { AssetStore } from './assets.ts';
import type { BackupStore, StoreView } from './backups.ts';
import type { BarStore } from './bars.ts';
import type { CorrectionStore } from './corrections.ts';
import type { FactStore } from './facts.ts';
import type { LiveStore } from './live.ts';
import type { LoadLog } from './loads.ts';
import type { StoreLocks } from './locks.ts';
import type { ProfileStore } from './profiles.ts';
import type { ChangeNotices, PublicationStore } from './publications.ts';
import type { ReviewStore } from './reviews.ts';
import type { SeriesStore } from './series.ts';
import type { ServerRegistry } from './servers.ts';
import type { SourceStore } from './sources.ts';
import type { StoreState } from './state.ts';

/** The concerns that the tables of a database hold; an adapter gives them for a connection or for a transaction. */
export type StoreTables = AssetStore &
  FactStore &
  ProfileStore &
  BarStore &
  SeriesStore &
  PublicationStore &
  LoadLog &
  KeyStore &
  UsageStore &
  AlertStore &
  LiveStore &
  CorrectionStore &
  SourceStore &
  ReviewStore &
  ServerRegistry &
  Pick<StoreView, 'copiedRows'> &
  Pick<StoreState, 'totals'>;

export type Store = StoreTables &
  ChangeNotices &
  StoreLocks &
  StoreState &
  BackupStore & {
    /** Which store this is, for people; holds no password. */
    readonly description: string;
    /** Nothing can be written to it: a SQLite file, or its folder, that this user may only read. */
    readonly readOnly: boolean;
    /** May be called again. A lock that was taken is not released by it. */
    close(): Promise<void>;
  };

export * from './alerts.ts';
export type * from './api-keys.ts';
export type * from './assets.ts';
export type * from './backups.ts';
export type * from './bars.ts';
export type * from './corrections.ts';
export * from './errors.ts';
export type * from './facts.ts';
export type * from './live.ts';
export * from './loads.ts';
export type * from './locks.ts';
export type * from './profiles.ts';
export * from './publications.ts';
export * from './reviews.ts';
export type * from './series.ts';
export type * from './servers.ts';
export type * from './sources.ts';
export type * from './state.ts';

// The port of the store, by concern. Each adapter has all of it in one object; code that needs one concern takes that type.
// `test/contract/store.ts` says what each adapter must do.

import type { AlertStore } from './port/alerts.ts';
import type { KeyStore, UsageStore } from './port/api-keys.ts';
import type { AssetStore } from './port/assets.ts';
import type { BackupStore } from './port/backups.ts';
import type { BarStore } from './port/bars.ts';
import type { CorrectionStore } from './port/corrections.ts';
import type { LiveStore } from './port/live.ts';
import type { LoadLog } from './port/loads.ts';
import type { StoreLocks } from './port/locks.ts';
import type { ProfileStore } from './port/profiles.ts';
import type { ChangeNotices, PublicationStore } from './port/publications.ts';
import type { ServerRegistry } from './port/servers.ts';
import type { StoreState } from './port/state.ts';

/** The concerns that the tables of a database hold; an adapter gives them for a connection or for a transaction. */
export type StoreTables = AssetStore &
  ProfileStore &
  BarStore &
  PublicationStore &
  LoadLog &
  KeyStore &
  UsageStore &
  AlertStore &
  LiveStore &
  CorrectionStore &
  ServerRegistry &
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

export * from './port/alerts.ts';
export type * from './port/api-keys.ts';
export type * from './port/assets.ts';
export type * from './port/backups.ts';
export type * from './port/bars.ts';
export type * from './port/corrections.ts';
export * from './port/errors.ts';
export type * from './port/live.ts';
export * from './port/loads.ts';
export type * from './port/locks.ts';
export type * from './port/profiles.ts';
export * from './port/publications.ts';
export type * from './port/servers.ts';
export type * from './port/state.ts';

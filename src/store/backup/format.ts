// The format of a backup: JSON lines, compressed by gzip, the same for every kind of store. The first line is the header; the records
// follow, kind after kind in the order below; the last line has their number and the SHA-256 of every byte before it.
// `zcat FILE | jq` reads it.

import { HintedError } from '../../common/hinted-error.ts';
import type { AssetDraft, AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import type { SourcedProfile } from '../../domain/profile.ts';
import type { Origin } from '../port/origins.ts';
import type {
  CopiedRow,
  DailyUse,
  FactRecord,
  Matching,
  StoredAlert,
  StoredDelivery,
  StoredKey,
  StoredLoad,
  StoredReject,
} from '../port/store.ts';

/** Raised when an older Tidemark cannot read the files of this one. */
export const FORMAT = 5;

export interface Header {
  readonly tidemark: 'backup';
  readonly format: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly version: number;
  /** The columns of current rows; null if nothing was published. */
  readonly columns: string | null;
  readonly keysVersion: number;
  readonly assets: number;
  /** Of all intervals. */
  readonly bars: number;
  /** The first period that was kept of each interval whose old bars were dropped; missing before format 4. */
  readonly dropped?: Readonly<Partial<Record<BaseInterval, number>>>;
}

export interface AssetRecord extends Omit<AssetDraft, 'tags' | 'supply'> {
  readonly kind: 'asset';
  /** Missing in backups that are older than tags, or than supplies. */
  readonly tags?: string;
  readonly supply?: number | null;
  /** Its number in the backed-up store, which the other records refer to; a restored store may give it another one. */
  readonly key: AssetNumber;
  readonly pending: boolean;
}

export interface ProfileRecord extends SourcedProfile {
  readonly kind: 'profile';
  readonly asset: AssetNumber;
}

/** The facts of past days of one asset, oldest first; missing before format 5. */
export interface FactsRecord {
  readonly kind: 'facts';
  readonly asset: AssetNumber;
  readonly records: readonly FactRecord[];
}

/** Bars of one asset and interval, oldest first; null is an unknown number. Those of days are all in one record. */
export interface BarsRecord {
  readonly kind: 'bars';
  readonly asset: AssetNumber;
  /** Missing for days; of another interval, a day is a period. */
  readonly interval?: Exclude<BaseInterval, '1d'>;
  /** In the first record of an interval finer than a day: its published periods; null if nothing was published. */
  readonly span?: readonly [first: number, last: number] | null;
  readonly day: readonly number[];
  readonly open: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly close: readonly number[];
  readonly volume: readonly (number | null)[];
  /** The origins of the closes: so many closes with the same one. 0 is an unknown origin. Missing if all are unknown. */
  readonly loads?: readonly (readonly [closes: number, origin: Origin])[];
  /** Days whose close has changed since it was published, with the published close; null if there was none. */
  readonly published?: readonly (readonly [day: number, close: number | null])[];
}

export interface CurrentRecord {
  readonly kind: 'current';
  readonly asset: AssetNumber;
  readonly day: Day;
  readonly history: number;
  readonly price: number;
  /** Little-endian doubles in Base64. */
  readonly values: string;
}

export interface LoadRecord extends StoredLoad {
  readonly kind: 'load';
  readonly rejects: readonly StoredReject[];
}

/** A load as format 1 has it. */
export interface OldLoadRecord extends Omit<LoadRecord, 'kind'> {
  readonly kind: 'run';
}

export interface KeyRecord extends Omit<StoredKey, 'hash'> {
  readonly kind: 'key';
  /** SHA-256 of the API key, in hexadecimal; the API key itself is not stored. */
  readonly hash: string;
}

export interface UsageRecord extends DailyUse {
  readonly kind: 'usage';
}

/** Without `target` unless the backup was made with secrets. */
export interface AlertRecord extends Omit<StoredAlert, 'waiting' | 'matching'> {
  readonly kind: 'alert';
  /** Backups of earlier versions do not have what messages reported. */
  readonly matching: (Omit<Matching, 'reported'> & Partial<Pick<Matching, 'reported'>>) | null;
}

export interface DeliveryRecord extends StoredDelivery {
  readonly kind: 'delivery';
}

/** A row of a small table: sources, price rules, corrections, actions, findings. Its `assetNumber` is that of the backed-up store. */
export interface RowRecord extends CopiedRow {
  readonly kind: 'row';
}

export type BackupRecord =
  | AssetRecord
  | ProfileRecord
  | FactsRecord
  | BarsRecord
  | CurrentRecord
  | LoadRecord
  | KeyRecord
  | UsageRecord
  | AlertRecord
  | DeliveryRecord
  | RowRecord;

export interface End {
  readonly kind: 'end';
  readonly records: number;
  readonly sha256: string;
}

/** A backup that cannot be read or written; for people, like `StoreError`. */
export class BackupError extends HintedError {
  override readonly name = 'BackupError';
}

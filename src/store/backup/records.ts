// The form of a backup: JSON lines, compressed by gzip, the same for every kind of store. The first line is the header; the
// records follow, kind after kind in the order below; the last line counts them and has the SHA-256 of every byte before it.
// `zcat FILE | jq` reads it.

import type { AssetDraft, AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import type { SourcedProfile } from '../../domain/profile.ts';
import type { DailyUse, StoredKey, StoredLoad, StoredReject } from '../store.ts';

/** Raised when an older Tidemark could not read a file any more. */
export const FORMAT = 2;

export interface Header {
  readonly tidemark: 'backup';
  readonly format: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly version: number;
  /** What the values of current rows are; null when nothing was published. */
  readonly columns: string | null;
  readonly keysVersion: number;
  readonly assets: number;
  readonly bars: number;
}

export interface AssetRecord extends Omit<AssetDraft, 'tags'> {
  readonly kind: 'asset';
  /** Missing in backups of before assets had tags. */
  readonly tags?: string;
  /** Its number in the store that was backed up, to which the other records refer; a restored store may give another. */
  readonly key: AssetNumber;
  readonly pending: boolean;
}

export interface ProfileRecord extends SourcedProfile {
  readonly kind: 'profile';
  readonly asset: AssetNumber;
}

/** All bars of one asset, oldest first; null is a number that nobody gave. */
export interface BarsRecord {
  readonly kind: 'bars';
  readonly asset: AssetNumber;
  readonly day: readonly number[];
  readonly open: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly close: readonly number[];
  readonly volume: readonly (number | null)[];
  /** Days whose close was another one when it was published, and that one; null where there was none. */
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
  /** SHA-256 of the key, in hexadecimal: the key itself is nowhere. */
  readonly hash: string;
}

export interface UsageRecord extends DailyUse {
  readonly kind: 'usage';
}

export type BackupRecord =
  | AssetRecord
  | ProfileRecord
  | BarsRecord
  | CurrentRecord
  | LoadRecord
  | KeyRecord
  | UsageRecord;

export interface End {
  readonly kind: 'end';
  readonly records: number;
  readonly sha256: string;
}

/** A backup that cannot be used or written: told to a person in one line, with what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

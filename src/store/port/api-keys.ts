// API keys, and how often each was used.

import type { Day } from '../../domain/day.ts';

export interface KeyStore {
  /** Fails when the id or the hash is taken, also by a key that was revoked. */
  createKey(key: NewKey): Promise<void>;
  /** All of them, revoked and expired ones too, oldest first. */
  keys(): Promise<StoredKey[]>;
  /** False when there is no such key or it is revoked already. */
  revokeKey(id: string): Promise<boolean>;
  /** Rises with every change of keys. Cheap: servers ask several times a second. */
  keysVersion(): Promise<number>;
}

export interface UsageStore {
  /**
   * Adds to the counts of that day, in one transaction, and returns the day's totals of these keys, other servers' included:
   * one for each key, in the order given. To add nothing only asks.
   */
  addUsage(day: Day, uses: readonly KeyUse[]): Promise<KeyUse[]>;
  /** The counts of every key on each of these days, both ends included; by day, then by key. */
  usage(from: Day, to: Day): Promise<DailyUse[]>;
  /** The last day on which each key was used, by its id; a key that never was is not in it. */
  lastUses(): Promise<Map<string, Day>>;
}

/** The key itself is nowhere: only its hash. */
export interface NewKey {
  /** Public, for lists, logs and metrics. */
  readonly id: string;
  /** SHA-256 of the key. */
  readonly hash: Uint8Array;
  readonly tier: string;
  readonly name: string | null;
  /** The last UTC day on which it is good; null: for ever. */
  readonly expires: Day | null;
}

export interface StoredKey extends NewKey {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export interface KeyUse {
  readonly keyId: string;
  readonly accepted: number;
  readonly refused: number;
}

export interface DailyUse extends KeyUse {
  readonly day: Day;
}

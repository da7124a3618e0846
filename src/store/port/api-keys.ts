// API keys, and how often each was used.

import type { Day } from '../../domain/day.ts';

export interface KeyStore {
  /** Fails if another API key has the id or the hash, even a revoked one. */
  createKey(key: NewKey): Promise<void>;
  /** All API keys, revoked and expired ones included, oldest first. */
  keys(): Promise<StoredKey[]>;
  /** False if there is no such API key or it is revoked already. */
  revokeKey(id: string): Promise<boolean>;
  /** Rises with every change of an API key. Cheap: servers ask several times per second. */
  keysVersion(): Promise<number>;
}

export interface UsageStore {
  /**
   * Adds to the counts of that day in one transaction. Returns the day's totals of these API keys over all servers, one per API key, in
   * the order given. Adding zeros only reads.
   */
  addUsage(day: Day, uses: readonly KeyUse[]): Promise<KeyUse[]>;
  /** The counts of every API key on each of these days, both ends included; by day, then by id. */
  usage(from: Day, to: Day): Promise<DailyUse[]>;
  /** The last day on which each API key was used, by its id; without those that were never used. */
  lastUses(): Promise<Map<string, Day>>;
}

/** The API key itself is not stored, only its hash. */
export interface NewKey {
  /** Public, for lists, logs and metrics. */
  readonly id: string;
  /** SHA-256 of the API key. */
  readonly hash: Uint8Array;
  readonly tier: string;
  readonly name: string | null;
  /** The last UTC day on which it is valid; null if it does not expire. */
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

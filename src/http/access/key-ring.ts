// The keys that a server knows, by the hash of each, with the place of its limits in shared memory.

import { timingSafeEqual } from 'node:crypto';
import type { Tier } from '../../domain/tiers.ts';

/** What a thread is told of a key. */
export interface RingKey {
  readonly id: string;
  /** SHA-256 of the key. */
  readonly hash: Uint8Array;
  readonly tier: Tier;
  /** Of its limits; a key that was revoked needs none. */
  readonly slot: number;
  readonly revoked: boolean;
  /** The last UTC day on which it is good. */
  readonly expires: number | null;
}

export class KeyRing {
  #keys = new Map<string, RingKey>();

  /** Replaces all keys at once. */
  replace(keys: readonly RingKey[]): void {
    this.#keys = new Map(keys.map(key => [Buffer.from(key.hash).toString('latin1'), key]));
  }

  find(hash: Buffer): RingKey | null {
    const key = this.#keys.get(hash.toString('latin1'));
    return key !== undefined && timingSafeEqual(key.hash, hash) ? key : null;
  }

  all(): RingKey[] {
    return [...this.#keys.values()];
  }
}

// The keys that a server knows, by the hash of each, with the place of its limits in shared memory.

import { timingSafeEqual } from 'node:crypto';
import type { Tier, Tiers } from '../../domain/tiers.ts';
import type { StoredKey } from '../../store/store.ts';
import { SharedLimits } from './shared-limits.ts';

export interface RingKey {
  readonly id: string;
  readonly tier: Tier;
  readonly slot: number;
  readonly revoked: boolean;
  /** The last UTC day on which it is good. */
  readonly expires: number | null;
}

interface Entry {
  readonly hash: Uint8Array;
  readonly key: RingKey;
}

export class KeyRing {
  readonly #slots = new Map<string, number>();
  #entries = new Map<string, Entry>();

  /** Replaces all keys at once. A key keeps its slot, so that its limits outlive the change. */
  replace(keys: readonly StoredKey[], tiers: Tiers): void {
    const entries = new Map<string, Entry>();
    for (const { id, hash, tier, revokedAt, expires } of keys) {
      const slot = this.#slotOf(id);
      // A tier that is configured no more has the narrowest limits, not none.
      const limits = tiers.get(tier) ?? tiers.get('free');
      if (slot === null || limits === undefined) continue;
      const key = { id, tier: limits, slot, revoked: revokedAt !== null, expires };
      entries.set(Buffer.from(hash).toString('latin1'), { hash, key });
    }
    this.#entries = entries;
  }

  find(hash: Buffer): RingKey | null {
    const entry = this.#entries.get(hash.toString('latin1'));
    return entry !== undefined && timingSafeEqual(entry.hash, hash) ? entry.key : null;
  }

  all(): RingKey[] {
    return [...this.#entries.values()].map(entry => entry.key);
  }

  #slotOf(id: string): number | null {
    const known = this.#slots.get(id);
    if (known !== undefined) return known;
    if (this.#slots.size >= SharedLimits.slots) return null;
    this.#slots.set(id, this.#slots.size);
    return this.#slots.size - 1;
  }
}

// Gives each API key a slot for its limits in shared memory. A key keeps its slot, so that its limits outlive every change of keys.

import type { RingKey } from '../access/key-ring.ts';
import { SharedLimits } from '../access/shared-limits.ts';
import type { Tiers } from '../domain/tiers.ts';
import type { StoredKey } from '../store/store.ts';

const NO_SLOT = -1;

export type AssignedKey = Pick<StoredKey, 'id' | 'hash' | 'tier' | 'revokedAt' | 'expires'>;

export class KeySlots {
  readonly #slots = new Map<string, number>();

  /** Leaves out keys beyond the 65,536 slots. */
  assign(keys: readonly AssignedKey[], tiers: Tiers): RingKey[] {
    return keys.flatMap(({ id, hash, tier, revokedAt, expires }) => {
      const revoked = revokedAt !== null;
      const slot = this.#slotOf(id, revoked);
      // A key whose tier is no longer configured has the narrowest limits, not none.
      const limits = tiers.get(tier) ?? tiers.get('free');
      return slot === null || limits === undefined ? [] : [{ id, hash, tier: limits, slot, revoked, expires }];
    });
  }

  #slotOf(id: string, revoked: boolean): number | null {
    const known = this.#slots.get(id);
    if (known !== undefined) return known;
    if (revoked) return NO_SLOT;
    if (this.#slots.size >= SharedLimits.slots) return null;
    this.#slots.set(id, this.#slots.size);
    return this.#slots.size - 1;
  }
}

// The API keys that a server knows, by their hashes, each with the slot of its limits in shared memory.

import type { Tier } from '../domain/tiers.ts';

/** What a thread knows of an API key. */
export interface RingKey {
  readonly id: string;
  /** SHA-256 of the key. */
  readonly hash: Uint8Array;
  readonly tier: Tier;
  /** Of its limits; -1 for a revoked key, which needs none. */
  readonly slot: number;
  readonly revoked: boolean;
  /** The last UTC day on which it is valid. */
  readonly expires: number | null;
}

export class KeyRing {
  #keys = new Map<string, RingKey>();
  /** Made when it is first needed. */
  #byId: Map<string, RingKey> | null = null;
  /** Grows with every change. */
  generation = 0;

  /** Replaces all keys at once. */
  replace(keys: readonly RingKey[]): void {
    this.generation++;
    this.#byId = null;
    this.#keys = new Map(keys.map(key => [Buffer.from(key.hash).toString('latin1'), key]));
  }

  /** `hash`: what `hashTextOf` gives for the key. */
  find(hash: string): RingKey | null {
    const key = this.#keys.get(hash);
    return key !== undefined && same(key.hash, hash) ? key : null;
  }

  withId(id: string): RingKey | null {
    this.#byId ??= new Map(this.all().map(key => [key.id, key]));
    return this.#byId.get(id) ?? null;
  }

  all(): RingKey[] {
    return [...this.#keys.values()];
  }
}

/** Compares every byte, so that the time does not reveal where two hashes differ. */
function same(hash: Uint8Array, text: string): boolean {
  let difference = hash.length ^ text.length;
  for (let i = 0; i < hash.length; i++) difference |= hash[i]! ^ text.charCodeAt(i);
  return difference === 0;
}

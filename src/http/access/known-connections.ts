// The key that a connection brought last. Most clients send the same one with every request, and hashing it takes longer than all
// the rest of letting a request in. What is compared is the client's own text of a moment ago, for as long as it is connected.

import { hashTextOf } from '../../domain/api-key.ts';
import type { KeyRing, RingKey } from './key-ring.ts';

interface Brought {
  readonly text: string;
  readonly key: RingKey;
  readonly generation: number;
}

export class KnownConnections {
  readonly #ring: KeyRing;
  readonly #brought = new WeakMap<object, Brought>();

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /** Null for a key that nobody has. */
  find(connection: object, text: string): RingKey | null {
    const { generation } = this.#ring;
    const before = this.#brought.get(connection);
    if (before?.text === text && before.generation === generation) return before.key;
    const key = this.#ring.find(hashTextOf(text));
    if (key !== null) this.#brought.set(connection, { text, key, generation });
    return key;
  }
}

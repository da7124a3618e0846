// The API key that a connection sent last. Most clients send the same one with every request, and reading and hashing it takes longer
// than the rest of the authentication. Compared are the headers of the connection's previous request.

import type { KeyRing, RingKey } from '../../access/key-ring.ts';
import { hashTextOf } from '../../domain/api-key.ts';
import type { ApiError } from '../../errors.ts';
import { apiKeyOf, KEY_HEADERS, mayHoldApiKey } from './credentials.ts';
import type { Caller } from './grant.ts';

interface Brought {
  readonly authorization: string | undefined;
  /** In the order of `KEY_HEADERS`. */
  readonly keys: readonly (string | string[] | undefined)[];
  readonly key: RingKey;
  readonly generation: number;
}

export class KnownConnections {
  readonly #ring: KeyRing;
  readonly #brought = new WeakMap<object, Brought>();

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /** Null unless the request brings what the one before it brought. */
  recall({ connection, headers, url }: Caller): RingKey | null {
    const before = this.#brought.get(connection);
    return before !== undefined &&
      before.authorization === headers.authorization &&
      KEY_HEADERS.every((name, i) => before.keys[i] === headers[name]) &&
      before.generation === this.#ring.generation &&
      !mayHoldApiKey(url)
      ? before.key
      : null;
  }

  /** Null without a key; its text when it is unknown. */
  find({ connection, headers, url }: Caller): RingKey | string | ApiError | null {
    const text = apiKeyOf(headers, url);
    if (typeof text !== 'string') return text;
    const key = this.#ring.find(hashTextOf(text));
    if (key === null) return text;
    const { authorization } = headers;
    const keys = KEY_HEADERS.map(name => headers[name]);
    if (!mayHoldApiKey(url))
      this.#brought.set(connection, { authorization, keys, key, generation: this.#ring.generation });
    return key;
  }
}

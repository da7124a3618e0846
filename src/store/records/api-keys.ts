// API keys.

import { keyTaken } from '../port/errors.ts';
import type { KeyStore } from '../port/store.ts';
import { type Records, run } from './steps.ts';
import { storable, storableOrNull } from './storable.ts';
import { API_KEYS } from './tables.ts';

export function keyStore(db: Records): KeyStore {
  return {
    createKey: ({ hash, expires, ...key }) =>
      db.write(function* () {
        const id = storable(key.id);
        const taken = yield* API_KEYS.rows('WHERE id = $1 OR hash = $2', id, hash);
        if (taken.length > 0) throw keyTaken(id);
        const [tier, name] = [storable(key.tier), storableOrNull(key.name)];
        const createdAt = new Date().toISOString();
        yield* API_KEYS.add([{ id, hash, tier, name, expires, createdAt, revokedAt: null }]);
        yield* run(on => on.raiseKeysVersion());
      }),

    keys: () =>
      db.read(function* () {
        const found = yield* API_KEYS.rows('ORDER BY number');
        yield* run(on => on.checkKeys(found.length));
        return found.map(({ number, hash, ...key }) => ({ ...key, hash: Uint8Array.from(hash) }));
      }),

    revokeKey: id =>
      db.write(function* () {
        const [key] = yield* API_KEYS.rows('WHERE id = $1 AND revoked_at IS NULL', storable(id));
        if (key === undefined) return false;
        yield* API_KEYS.update(key, { revokedAt: new Date().toISOString() });
        yield* run(on => on.raiseKeysVersion());
        return true;
      }),

    keysVersion: () => db.keysVersion(),
  };
}

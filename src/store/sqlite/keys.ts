// API keys in SQLite.

import type { Day } from '../../domain/day.ts';
import { keyTaken } from '../faults.ts';
import { nextVersion } from '../next-version.ts';
import { storable } from '../records.ts';
import type { KeyStore, StoredKey } from '../store.ts';
import type { Connection } from './connection.ts';

type KeyRow = [
  id: string,
  hash: Uint8Array<ArrayBuffer>,
  tier: string,
  name: string | null,
  expires: number | null,
  createdAt: string,
  revokedAt: string | null,
];

export function keyStore(db: Connection): KeyStore {
  const taken = db.query<[number]>('SELECT 1 FROM keys WHERE id = ? OR hash = ?');
  const insert = db.command('INSERT INTO keys (id, hash, tier, name, expires, created_at) VALUES (?, ?, ?, ?, ?, ?)');
  const all = db.query<KeyRow>(
    'SELECT id, hash, tier, name, expires, created_at, revoked_at FROM keys ORDER BY number',
  );
  const revoke = db.command('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  const version = db.query<[number]>('SELECT keys_version FROM meta');
  const setVersion = db.command('UPDATE meta SET keys_version = ?');
  const raise = () => setVersion.run(nextVersion(version.get()![0]));

  return {
    createKey: key =>
      db.writeWhenFree(() => {
        const id = storable(key.id);
        if (taken.get(id, key.hash)) throw keyTaken(id);
        const name = key.name === null ? null : storable(key.name);
        insert.run(id, key.hash, storable(key.tier), name, key.expires, new Date().toISOString());
        raise();
      }),

    keys: async () => db.read(() => all.all().map(keyOfRow)),

    revokeKey: id =>
      db.writeWhenFree(() => {
        if (revoke.run(new Date().toISOString(), storable(id)) === 0) return false;
        raise();
        return true;
      }),

    keysVersion: async () => db.read(() => version.get()![0]),
  };
}

function keyOfRow([id, hash, tier, name, expires, createdAt, revokedAt]: KeyRow): StoredKey {
  // Only days from the domain are ever stored.
  return { id, hash, tier, name, expires: expires as Day | null, createdAt, revokedAt };
}

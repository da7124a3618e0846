// API keys in SQLite.

import type { Day } from '../../domain/day.ts';
import { keyTaken } from '../port/errors.ts';
import { nextVersion } from '../port/next-version.ts';
import type { KeyStore, StoredKey } from '../port/store.ts';
import { storable } from '../records/storable.ts';
import { type Blob, CheckedTable } from './checked-table.ts';
import { requireCount } from './checksum-mismatch.ts';
import type { Connection } from './connection.ts';
import { MetaTable } from './meta.ts';

type KeyRow = [
  number: number,
  id: string,
  hash: Blob,
  tier: string,
  name: string | null,
  expires: number | null,
  createdAt: string,
  revokedAt: string | null,
];

export interface KeyTable extends KeyStore {
  /** As it is, and without a new version. */
  add(key: StoredKey): void;
}

export function keyStore(db: Connection): KeyTable {
  const table = new CheckedTable<KeyRow>(db, 'api_keys');
  const all = keyRows(db);
  const byId = table.select('WHERE id = ?');
  const taken = table.select('WHERE id = ? OR hash = ?');
  const meta = new MetaTable(db);
  const raiseVersion = () => meta.update({ keysVersion: nextVersion(meta.read().keysVersion) });

  function add({ id, hash, tier, name, expires, createdAt, revokedAt }: StoredKey): void {
    const number = meta.read().apiKeys + 1;
    table.put([number, id, Uint8Array.from(hash), tier, name, expires, createdAt, revokedAt]);
    meta.update({ apiKeys: number });
  }

  return {
    add,

    createKey: key =>
      db.writeWhenFree(() => {
        const id = storable(key.id);
        if (taken.get(id, key.hash)) throw keyTaken(id);
        const name = key.name === null ? null : storable(key.name);
        const createdAt = new Date().toISOString();
        add({ ...key, id, tier: storable(key.tier), name, createdAt, revokedAt: null });
        raiseVersion();
      }),

    keys: async () => db.read(() => all().map(keyOfRow)),

    revokeKey: id =>
      db.writeWhenFree(() => {
        const row = byId.get(storable(id));
        if (row === undefined || row[7] !== null) return false;
        const [number, name, hash, tier, label, expires, createdAt] = row;
        table.put([number, name, hash, tier, label, expires, createdAt, new Date().toISOString()]);
        raiseVersion();
        return true;
      }),

    keysVersion: async () => db.read(() => meta.read().keysVersion),
  };
}

/** All API keys, oldest first. */
export function keyRows(db: Connection): () => KeyRow[] {
  const all = new CheckedTable<KeyRow>(db, 'api_keys').select('ORDER BY number');
  const meta = new MetaTable(db);
  return () => {
    const rows = all.all();
    requireCount('api_keys', rows.length, meta.read().apiKeys);
    return rows;
  };
}

function keyOfRow([, id, hash, tier, name, expires, createdAt, revokedAt]: KeyRow): StoredKey {
  // Only days from the domain are ever stored.
  return { id, hash, tier, name, expires: expires as Day | null, createdAt, revokedAt };
}

// API keys in PostgreSQL.

import type { Day } from '../../domain/day.ts';
import { keyTaken } from '../port/errors.ts';
import { nextVersion } from '../port/next-version.ts';
import type { KeyStore, StoredKey } from '../port/store.ts';
import { storable } from '../records/storable.ts';
import type { Database, Sql, Versions } from './database.ts';
import { readVersions } from './known-versions.ts';
import { notify } from './watch.ts';

type KeyRow = Pick<StoredKey, 'id' | 'tier' | 'name'> & {
  hash: Buffer;
  expires: number | null;
  created_at: Date;
  revoked_at: Date | null;
};

export function keyStore(db: Database): KeyStore {
  return {
    createKey: key =>
      db.write(async sql => {
        const id = storable(key.id);
        const taken = await sql`SELECT 1 FROM tidemark.api_keys WHERE id = ${id} OR hash = ${key.hash}`;
        if (taken.length > 0) throw keyTaken(id);
        await sql`
          INSERT INTO tidemark.api_keys (id, hash, tier, name, expires, created_at)
          VALUES (${id}, ${key.hash}, ${storable(key.tier)}, ${key.name === null ? null : storable(key.name)},
            ${key.expires}, ${new Date()})`;
        await raiseVersion(sql);
      }),

    keys: () =>
      db.read(async sql => {
        accepted(db, await readVersions(sql));
        const rows = await sql<KeyRow>`
          SELECT id, hash, tier, name, expires, created_at, revoked_at FROM tidemark.api_keys ORDER BY number`;
        return rows.map(({ id, hash, tier, name, expires, created_at, revoked_at }) => ({
          id,
          hash: new Uint8Array(hash),
          tier,
          name,
          // Only days from the domain are ever stored.
          expires: expires as Day | null,
          createdAt: created_at.toISOString(),
          revokedAt: revoked_at?.toISOString() ?? null,
        }));
      }),

    revokeKey: id =>
      db.write(async sql => {
        const revoked = await sql`
          UPDATE tidemark.api_keys SET revoked_at = ${new Date()} WHERE id = ${storable(id)} AND revoked_at IS NULL
          RETURNING id`;
        if (revoked.length === 0) return false;
        await raiseVersion(sql);
        return true;
      }),

    keysVersion: async () => accepted(db, await db.versions()),
  };
}

function accepted({ seen }: Database, { keys, standby }: Versions): number {
  return seen.accept('keys', { version: keys, standby });
}

async function raiseVersion(sql: Sql): Promise<void> {
  await sql`UPDATE tidemark.meta SET keys_version = greatest(keys_version + 1, ${nextVersion(0)})`;
  await notify(sql);
}

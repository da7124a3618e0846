// What only a restored backup writes into PostgreSQL: loads, keys and replaced closes as they were, and where the store stands.

import { notEmpty } from '../faults.ts';
import type { FillTarget } from '../store.ts';
import { addReplaced } from './bars.ts';
import { arrayText, type Database } from './connection.ts';
import { notify } from './watch.ts';

export async function requireEmpty(db: Database): Promise<void> {
  const found = await db.query(
    sql => sql`
      SELECT 1 FROM tidemark.assets UNION ALL SELECT 1 FROM tidemark.loads UNION ALL SELECT 1 FROM tidemark.api_keys LIMIT 1`,
  );
  if (found.length > 0) throw notEmpty(db.name);
}

export function fillStore(db: Database): Pick<FillTarget, 'putLoads' | 'putKeys' | 'putReplaced' | 'settle'> {
  return {
    putLoads: loads =>
      db.write(async sql => {
        await sql`
          INSERT INTO tidemark.loads
            (id, source, started_at, ended_at, state, error, read, inserted, replaced, unchanged, rejected)
          SELECT * FROM json_to_recordset(${JSON.stringify(loads)}::json) AS new (
            id int, source text, "startedAt" timestamptz, "endedAt" timestamptz, state text, error text,
            read bigint, inserted bigint, replaced bigint, unchanged bigint, rejected bigint)`;
        // The next load gets the number after the last one.
        await sql`
          SELECT setval(pg_get_serial_sequence('tidemark.loads', 'id'), (SELECT max(id) FROM tidemark.loads))`;
      }),

    putKeys: keys =>
      db.write(async sql => {
        const rows = keys.map(({ hash, ...key }) => ({ ...key, hash: Buffer.from(hash).toString('hex') }));
        await sql`
          INSERT INTO tidemark.api_keys (id, hash, tier, name, expires, created_at, revoked_at)
          SELECT id, decode(hash, 'hex'), tier, name, expires, "createdAt", "revokedAt"
          FROM ROWS FROM (json_to_recordset(${JSON.stringify(rows)}::json) AS (
            id text, hash text, tier text, name text, expires int, "createdAt" timestamptz, "revokedAt" timestamptz
          )) WITH ORDINALITY
          ORDER BY ordinality`;
      }),

    putReplaced: batch => db.write(sql => addReplaced(sql, batch)),

    settle: ({ pending, version, keysVersion }) =>
      db.write(async sql => {
        const keys = arrayText(pending);
        await sql`UPDATE tidemark.coverage SET pending = NOT pending WHERE pending <> (asset = ANY(${keys}::int[]))`;
        await sql`
          UPDATE tidemark.meta SET version = ${version}, all_since = ${version}, keys_version = ${keysVersion}`;
        if (version > 0) await sql`INSERT INTO tidemark.publications VALUES (${version}) ON CONFLICT DO NOTHING`;
        await notify(sql);
      }),
  };
}

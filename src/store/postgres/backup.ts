// What only a restored backup writes into PostgreSQL: runs, keys and replaced closes as they were, and where the store stands.

import { notEmpty } from '../faults.ts';
import type { FillTarget } from '../store.ts';
import { addReplaced } from './bars.ts';
import { arrayText, type Database } from './connection.ts';
import { notify } from './watch.ts';

export async function requireEmpty(db: Database): Promise<void> {
  const found = await db.query(
    sql => sql`
      SELECT 1 FROM tidemark.assets UNION ALL SELECT 1 FROM tidemark.runs UNION ALL SELECT 1 FROM tidemark.keys LIMIT 1`,
  );
  if (found.length > 0) throw notEmpty(db.name);
}

export function fillStore(db: Database): Pick<FillTarget, 'putLoads' | 'putKeys' | 'putReplaced' | 'settle'> {
  return {
    putLoads: loads =>
      db.write(async sql => {
        await sql`
          INSERT INTO tidemark.runs
            (id, source, started_at, ended_at, state, error, read, inserted, replaced, unchanged, rejected)
          SELECT * FROM json_to_recordset(${JSON.stringify(loads)}::text::json) AS new (
            id int, source text, "startedAt" timestamptz, "endedAt" timestamptz, state text, error text,
            read bigint, inserted bigint, replaced bigint, unchanged bigint, rejected bigint)`;
        // The next run gets the number after the last one.
        await sql`
          SELECT setval(pg_get_serial_sequence('tidemark.runs', 'id'), (SELECT max(id) FROM tidemark.runs))`;
      }),

    putKeys: keys =>
      db.write(async sql => {
        const rows = keys.map(({ hash, ...key }) => ({ ...key, hash: Buffer.from(hash).toString('hex') }));
        await sql`
          INSERT INTO tidemark.keys (id, hash, tier, name, expires, created_at, revoked_at)
          SELECT id, decode(hash, 'hex'), tier, name, expires, "createdAt", "revokedAt"
          FROM ROWS FROM (json_to_recordset(${JSON.stringify(rows)}::text::json) AS (
            id text, hash text, tier text, name text, expires int, "createdAt" timestamptz, "revokedAt" timestamptz
          )) WITH ORDINALITY
          ORDER BY ordinality`;
      }),

    putReplaced: batch => db.write(sql => addReplaced(sql, batch)),

    settle: ({ pending, version, keysVersion }) =>
      db.write(async sql => {
        await sql`DELETE FROM tidemark.pending`;
        await sql`INSERT INTO tidemark.pending SELECT unnest(${arrayText(pending)}::int[])`;
        await sql`
          UPDATE tidemark.meta SET version = ${version}, all_since = ${version}, keys_version = ${keysVersion}`;
        if (version > 0) await sql`INSERT INTO tidemark.publications VALUES (${version}) ON CONFLICT DO NOTHING`;
        await notify(sql);
      }),
  };
}

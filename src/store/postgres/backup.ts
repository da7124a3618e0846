// What only a restored backup writes into PostgreSQL: loads, API keys, alerts and replaced closes as they were, and where the store stands.

import { notEmpty } from '../port/errors.ts';
import type { FillTarget } from '../port/store.ts';
import { valueOfMatching } from '../records/matching-value.ts';
import { addReplaced } from './bars.ts';
import { arrayText, type Database } from './database.ts';
import { notify } from './watch.ts';

export async function requireEmpty(db: Database): Promise<void> {
  const found = await db.query(
    sql => sql`
      SELECT 1 FROM tidemark.assets UNION ALL SELECT 1 FROM tidemark.loads UNION ALL SELECT 1 FROM tidemark.api_keys
      UNION ALL SELECT 1 FROM tidemark.alerts LIMIT 1`,
  );
  if (found.length > 0) throw notEmpty(db.name);
}

export function fillStore(
  db: Database,
): Pick<FillTarget, 'putLoads' | 'putKeys' | 'putAlerts' | 'putDeliveries' | 'putReplaced' | 'settle'> {
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

    putAlerts: alerts =>
      db.write(async sql => {
        const rows = alerts.map(({ target, matching, ...alert }) => ({
          ...alert,
          ...target,
          ...(matching === null ? {} : { version: matching.version, symbols: valueOfMatching(matching) }),
        }));
        await sql`
          INSERT INTO tidemark.alerts
            (id, name, query, direction, format, url, secret, created_at, paused, revision, version, symbols)
          SELECT id, name, query, "on", format, url, secret, "createdAt", paused, revision, version, symbols
          FROM ROWS FROM (json_to_recordset(${JSON.stringify(rows)}::json) AS (
            id text, name text, query text, "on" text, format text, url text, secret text, "createdAt" timestamptz,
            paused boolean, revision bigint, version bigint, symbols json
          )) WITH ORDINALITY
          ORDER BY ordinality`;
      }),

    putDeliveries: deliveries =>
      db.write(async sql => {
        await sql`
          INSERT INTO tidemark.deliveries
            (id, alert, created_ms, entered_rows, left_rows, body, state, attempts, last_ms, next_ms, status, error)
          SELECT id, alert, "createdAt", entered, "left", body, state, attempts, "lastAt", "nextAt", status, error
          FROM ROWS FROM (json_to_recordset(${JSON.stringify(deliveries)}::json) AS (
            id text, alert text, "createdAt" bigint, entered int, "left" int, body text, state text, attempts int,
            "lastAt" bigint, "nextAt" bigint, status int, error text
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

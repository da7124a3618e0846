// What only a restored backup writes into PostgreSQL: loads, API keys, alerts and replaced closes as they were, and where the store stands.

import { notEmpty } from '../port/errors.ts';
import type { DirectFilling } from '../port/store.ts';
import { fillRecords } from '../records/records.ts';
import { arrayText, type Database } from './database.ts';
import { postgresRecords } from './records.ts';
import { addReplaced } from './replaced.ts';
import { SERIES } from './series-layout.ts';
import { notify } from './watch.ts';

export async function requireEmpty(db: Database): Promise<void> {
  const found = await db.query(
    sql => sql`
      SELECT 1 FROM tidemark.assets UNION ALL SELECT 1 FROM tidemark.loads UNION ALL SELECT 1 FROM tidemark.api_keys
      UNION ALL SELECT 1 FROM tidemark.alerts LIMIT 1`,
  );
  if (found.length > 0) throw notEmpty(db.name);
}

export function fillStore(db: Database): DirectFilling {
  const records = fillRecords(postgresRecords(db));
  return {
    ...records,

    putLoads: async loads => {
      await records.putLoads(loads);
      // The next load gets the number after the last one.
      await db.write(
        sql => sql`SELECT setval(pg_get_serial_sequence('tidemark.loads', 'id'), (SELECT max(id) FROM tidemark.loads))`,
      );
    },

    putCopiedRows: async rows => {
      await records.putCopiedRows(rows);
      for (const table of ['corrections', 'actions']) {
        if (!rows.some(row => row.table === table)) continue;
        await db.write(sql =>
          sql.run(
            `SELECT setval(pg_get_serial_sequence('tidemark.${table}', 'number'), (SELECT max(number) FROM tidemark.${table}))`,
            [],
          ),
        );
      }
    },

    putReplaced: (interval, batch) => db.write(sql => addReplaced(sql, SERIES[interval], batch)),

    putPublishedSpans: (interval, spans) =>
      db.write(async sql => {
        const rows = [...spans];
        await sql.run(
          `UPDATE ${SERIES[interval].coverage} AS covered SET published_first = new.first, published_last = new.last
           FROM unnest($1::int[], $2::int[], $3::int[]) AS new (asset, first, last) WHERE covered.asset = new.asset`,
          [
            arrayText(rows.map(([asset]) => asset)),
            arrayText(rows.map(([, span]) => span?.[0] ?? Number.NaN)),
            arrayText(rows.map(([, span]) => span?.[1] ?? Number.NaN)),
          ],
        );
      }),

    settle: ({ pending, version, keysVersion, dropped }) =>
      db.write(async sql => {
        for (const [interval, before] of Object.entries(dropped))
          await sql`INSERT INTO tidemark.dropped_bars VALUES (${interval}, ${before})`;
        const keys = arrayText(pending);
        await sql`UPDATE tidemark.coverage SET pending = NOT pending WHERE pending <> (asset = ANY(${keys}::int[]))`;
        await sql`
          UPDATE tidemark.meta SET version = ${version}, all_since = ${version}, keys_version = ${keysVersion}`;
        if (version > 0) await sql`INSERT INTO tidemark.publications VALUES (${version}) ON CONFLICT DO NOTHING`;
        await notify(sql);
      }),
  };
}

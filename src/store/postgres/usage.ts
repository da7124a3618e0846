// What keys were used for, and the servers that live, in PostgreSQL.
//
// Nothing here waits for the writer of bars: each statement is a transaction of its own, safe beside the same statement of
// another server.

import type { Day } from '../../domain/day.ts';
import type { KeyUse, ServerRegistry, UsageStore } from '../port/store.ts';
import { storable } from '../records/storable.ts';
import { sumsByKey } from '../records/usage-sums.ts';
import type { Database, Sql } from './database.ts';

export function usageStore(db: Database): UsageStore & ServerRegistry {
  return {
    addUsage: (day, uses) => {
      const sums = sumsByKey(uses);
      const { added = [], asked = [] } = Object.groupBy(sums, use =>
        use.accepted > 0 || use.refused > 0 ? 'added' : 'asked',
      );
      const count = async (sql: Sql) => {
        const totals = new Map<string, KeyUse>();
        // Asked first: what fails after something was added would be added once more at the next try.
        for (const use of await ask(sql, day, asked)) totals.set(use.keyId, use);
        for (const use of await add(sql, day, added)) totals.set(use.keyId, use);
        return sums.map(({ keyId }) => totals.get(keyId) ?? { keyId, accepted: 0, refused: 0 });
      };
      return added.length > 0 ? db.change(count) : db.query(count);
    },

    usage: (from, to) =>
      db.query(async sql => {
        const rows = await sql<KeyUse & { day: number }>`
          SELECT key AS "keyId", day, accepted, refused FROM tidemark.key_usage
          WHERE day BETWEEN ${from} AND ${to} ORDER BY day, key`;
        // Only days from the domain are ever stored.
        return rows.map(({ keyId, day, accepted, refused }) => ({ keyId, day: day as Day, accepted, refused }));
      }),

    lastUses: () =>
      db.query(async sql => {
        // One look into the index for each key, however long its history.
        const rows = await sql<{ id: string; day: number }>`
          SELECT id, day FROM tidemark.api_keys
          CROSS JOIN LATERAL (SELECT max(day) AS day FROM tidemark.key_usage WHERE key = id) AS last WHERE day IS NOT NULL`;
        // Only days from the domain are ever stored.
        return new Map(rows.map(({ id, day }) => [id, day as Day]));
      }),

    unregister: server =>
      db.change(async sql => {
        await sql`DELETE FROM tidemark.servers WHERE id = ${storable(server)}`;
      }),

    heartbeat: (server, withinMs) =>
      db.change(async sql => {
        const id = storable(server);
        // One statement is one transaction. It does not see its own row, which is counted in any case.
        const [others] = await sql<{ count: number }>`
          WITH own AS (
            INSERT INTO tidemark.servers VALUES (${id}, clock_timestamp())
            ON CONFLICT (id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at
          ), gone AS (
            DELETE FROM tidemark.servers WHERE heartbeat_at < clock_timestamp() - interval '1 day' AND id <> ${id}
          )
          SELECT count(*) FROM tidemark.servers
          WHERE id <> ${id} AND heartbeat_at >= clock_timestamp() - ${withinMs}::float8 * interval '1 millisecond'`;
        // A count always gives one row.
        return others!.count + 1;
      }),
  };
}

async function add(sql: Sql, day: Day, uses: readonly KeyUse[]): Promise<readonly KeyUse[]> {
  if (uses.length === 0) return [];
  // In the order of the keys: two servers that locked the same rows in different orders would wait for each other.
  return sql<KeyUse>`
    INSERT INTO tidemark.key_usage AS old (key, day, accepted, refused)
    SELECT "keyId", ${day}::int, accepted, refused FROM json_to_recordset(${JSON.stringify(uses)}::json)
      AS new ("keyId" text, accepted bigint, refused bigint)
    ORDER BY "keyId" COLLATE "C"
    ON CONFLICT (key, day) DO UPDATE
    SET accepted = old.accepted + excluded.accepted, refused = old.refused + excluded.refused
    RETURNING key AS "keyId", accepted, refused`;
}

async function ask(sql: Sql, day: Day, uses: readonly KeyUse[]): Promise<readonly KeyUse[]> {
  if (uses.length === 0) return [];
  return sql<KeyUse>`
    SELECT key AS "keyId", accepted, refused FROM tidemark.key_usage
    WHERE day = ${day} AND key IN (
      SELECT json_array_elements_text(${JSON.stringify(uses.map(use => use.keyId))}::json))`;
}

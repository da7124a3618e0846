// The servers of one store in PostgreSQL: by the clock of the database, in one statement that waits for no other.

import type { ServerRegistry } from '../port/store.ts';
import { storable } from '../records/storable.ts';
import type { Database } from './database.ts';

export function serverRegistry(db: Database): ServerRegistry {
  return {
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

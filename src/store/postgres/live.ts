// How current live prices are, in PostgreSQL.

import type { LiveStore, NewestTick } from '../port/store.ts';
import { storable } from '../records/storable.ts';
import type { Database } from './database.ts';

export function liveStore(db: Database): LiveStore {
  return {
    recordTick: (source, at) =>
      db.change(async sql => {
        await sql`
          INSERT INTO tidemark.live_ticks VALUES (${storable(source)}, ${at})
          ON CONFLICT (source) DO UPDATE SET tick_ms = excluded.tick_ms`;
      }),

    newestTicks: () =>
      db.query(async sql => [
        ...(await sql<NewestTick>`SELECT source, tick_ms AS at FROM tidemark.live_ticks ORDER BY source`),
      ]),
  };
}

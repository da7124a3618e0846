// How current live prices are, in SQLite.

import type { LiveStore } from '../port/store.ts';
import { storable } from '../records/storable.ts';
import { CheckedTable } from './checked-table.ts';
import type { Connection } from './connection.ts';

export function liveStore(db: Connection): LiveStore {
  const table = new CheckedTable<[source: string, at: number]>(db, 'live_ticks');
  const all = table.select('ORDER BY source');
  return {
    recordTick: (source, at) => db.writeWhenFree(() => table.put([storable(source), at])),
    newestTicks: async () => db.read(() => all.all().map(([source, at]) => ({ source, at }))),
  };
}

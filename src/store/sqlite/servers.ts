// The servers of one store in SQLite: by the clock of the database.

import { MILLIS_PER_DAY } from '../../domain/day.ts';
import type { ServerRegistry } from '../port/store.ts';
import { storable } from '../records/storable.ts';
import { CheckedTable } from './checked-table.ts';
import { ChecksumMismatch } from './checksum-mismatch.ts';
import type { Connection } from './connection.ts';

export function serverRegistry(db: Connection): ServerRegistry {
  const table = new CheckedTable<[id: string, heartbeatAt: number]>(db, 'servers');
  const all = table.select('');
  const now = db.query<[number]>(`SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)`);
  const remove = db.command('DELETE FROM servers WHERE id = ?');
  const clear = db.command('DELETE FROM servers');

  /** A damaged row is removed with the others: every server writes its row again within seconds. */
  function known(): [id: string, heartbeatAt: number][] {
    try {
      return all.all();
    } catch (error) {
      if (!(error instanceof ChecksumMismatch)) throw error;
      clear.run();
      return [];
    }
  }

  return {
    unregister: server => db.writeWhenFree(() => void remove.run(storable(server))),

    heartbeat: (server, withinMs) =>
      db.writeWhenFree(() => {
        const at = now.get()![0];
        const id = storable(server);
        let count = 1;
        for (const [other, last] of known()) {
          if (last < at - MILLIS_PER_DAY) remove.run(other);
          else if (other !== id && last >= at - withinMs) count++;
        }
        table.put([id, at]);
        return count;
      }),
  };
}

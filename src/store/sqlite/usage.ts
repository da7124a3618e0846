// How often API keys were used, and the running servers, in SQLite.

import { type Day, MILLIS_PER_DAY } from '../../domain/day.ts';
import type { KeyUse, ServerRegistry, UsageStore } from '../port/store.ts';
import { storable } from '../records/storable.ts';
import { sumsByKey } from '../records/usage-sums.ts';
import { keyRows } from './api-keys.ts';
import { CheckedTable } from './checked-table.ts';
import { ChecksumMismatch } from './checksum-mismatch.ts';
import type { Connection } from './connection.ts';

export function usageStore(db: Connection): UsageStore & ServerRegistry {
  return { ...usage(db), ...servers(db) };
}

function usage(db: Connection): UsageStore {
  const table = new CheckedTable<[day: number, apiKey: string, accepted: number, refused: number]>(db, 'usage');
  const ofDay = table.select('WHERE day = ? AND api_key = ?');
  const between = table.select('WHERE day BETWEEN ? AND ? ORDER BY day, api_key');
  const last = table.select('WHERE api_key = ? ORDER BY day DESC LIMIT 1');
  const keys = keyRows(db);

  function total(keyId: string, day: Day): KeyUse {
    const [, , accepted, refused] = ofDay.get(day, keyId) ?? [day, keyId, 0, 0];
    return { keyId, accepted, refused };
  }

  return {
    addUsage: async (day, uses) => {
      const sums = sumsByKey(uses);
      const added = sums.filter(use => use.accepted > 0 || use.refused > 0);
      const totals = () => sums.map(({ keyId }) => total(keyId, day));
      if (added.length === 0) return db.read(totals);
      return db.writeWhenFree(() => {
        for (const { keyId, accepted, refused } of added) {
          const before = total(keyId, day);
          table.put([day, keyId, before.accepted + accepted, before.refused + refused]);
        }
        return totals();
      });
    },

    usage: async (from, to) =>
      db.read(() =>
        between
          .all(from, to)
          // Only days from the domain are ever stored.
          .map(([day, keyId, accepted, refused]) => ({ keyId, day: day as Day, accepted, refused })),
      ),

    // One lookup per API key, however many days it was used on.
    lastUses: async () =>
      db.read(() => {
        const days = new Map<string, Day>();
        for (const [, id] of keys()) {
          const row = last.get(id);
          if (row) days.set(id, row[0] as Day); // only days from the domain are ever stored
        }
        return days;
      }),
  };
}

function servers(db: Connection): ServerRegistry {
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

// What keys were used for, and the servers that live, in SQLite.

import { type Day, MILLIS_PER_DAY } from '../../domain/day.ts';
import { storable } from '../records.ts';
import type { ServerRegistry, UsageStore } from '../store.ts';
import { sumsByKey } from '../usage-sums.ts';
import type { Connection } from './connection.ts';

export function usageStore(db: Connection): UsageStore & ServerRegistry {
  const add = db.command(
    `INSERT INTO usage (key, day, accepted, refused) VALUES (?, ?, ?, ?)
     ON CONFLICT (key, day) DO UPDATE SET accepted = accepted + excluded.accepted, refused = refused + excluded.refused`,
  );
  const total = db.query<[number, number]>('SELECT accepted, refused FROM usage WHERE key = ? AND day = ?');
  const between = db.query<[string, number, number, number]>(
    'SELECT key, day, accepted, refused FROM usage WHERE day BETWEEN ? AND ? ORDER BY day, key',
  );
  // One look into the index for each key, however long its history.
  const last = db.query<[string, number]>(
    `SELECT id, day FROM (SELECT id, (SELECT max(day) FROM usage WHERE key = id) AS day FROM keys) WHERE day IS NOT NULL`,
  );
  const now = db.query<[number]>(`SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)`);
  const live = db.command('REPLACE INTO servers VALUES (?, ?)');
  const forget = db.command('DELETE FROM servers WHERE beat_at < ?');
  const leave = db.command('DELETE FROM servers WHERE id = ?');
  const living = db.query<[number]>('SELECT count(*) FROM servers WHERE beat_at >= ? OR id = ?');

  return {
    addUsage: async (day, uses) => {
      const sums = sumsByKey(uses);
      const added = sums.filter(use => use.accepted > 0 || use.refused > 0);
      const totals = () =>
        sums.map(({ keyId }) => {
          const [accepted, refused] = total.get(keyId, day) ?? [0, 0];
          return { keyId, accepted, refused };
        });
      if (added.length === 0) return db.read(totals);
      return db.writeWhenFree(() => {
        for (const { keyId, accepted, refused } of added) add.run(keyId, day, accepted, refused);
        return totals();
      });
    },

    usage: async (from, to) =>
      db.read(() =>
        between
          .all(from, to)
          // Only days from the domain are ever stored.
          .map(([keyId, day, accepted, refused]) => ({ keyId, day: day as Day, accepted, refused })),
      ),

    // Only days from the domain are ever stored.
    lastUses: async () => db.read(() => new Map(last.all().map(([id, day]) => [id, day as Day]))),

    unregister: server => db.writeWhenFree(() => void leave.run(storable(server))),

    heartbeat: (server, withinMs) =>
      db.writeWhenFree(() => {
        const at = now.get()![0];
        live.run(storable(server), at);
        forget.run(at - MILLIS_PER_DAY);
        return living.get(at - withinMs, storable(server))![0];
      }),
  };
}

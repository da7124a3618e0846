// The SQLite adapter of the store: one file, several processes, nothing to install.

import type { Day } from '../../domain/day.ts';
import type { Store, Totals } from '../store.ts';
import { assetStore } from './assets.ts';
import { barStore } from './bars.ts';
import type { Connection } from './connection.ts';
import { currentStore } from './current.ts';
import { keyStore } from './keys.ts';
import { openDatabase } from './open.ts';
import { runStore } from './runs.ts';
import { usageStore } from './usage.ts';
import { watchFile } from './watch.ts';
import { lockWriter } from './writer-lock.ts';

export async function openSqlite(path: string): Promise<Store> {
  const db = openDatabase(path);
  return {
    description: `sqlite:${path}`,
    close: async () => db.close(),
    ...assetStore(db),
    ...barStore(db),
    ...currentStore(db),
    watch: onChange => watchFile(db, onChange),
    ...runStore(db),
    lockWriter: async () => lockWriter(db.path),
    totals: totals(db),
    ...keyStore(db),
    ...usageStore(db),
  };
}

function totals(db: Connection): () => Promise<Totals> {
  const count = db.query<[number, number, number, number | null, number | null, number, number, number]>(
    `SELECT (SELECT count(*) FROM assets), (SELECT count(*) FROM profiles),
       (SELECT coalesce(sum(bars), 0) FROM coverage),
       (SELECT min(first_day) FROM coverage WHERE bars > 0), (SELECT max(last_day) FROM coverage WHERE bars > 0),
       (SELECT count(*) FROM pending), (SELECT version FROM meta),
       (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)`,
  );
  return async () =>
    db.read(() => {
      const [assets, profiles, bars, firstDay, lastDay, pending, version, bytes] = count.get()!;
      // Only days from the domain are ever stored.
      return {
        assets,
        profiles,
        bars,
        firstDay: firstDay as Day | null,
        lastDay: lastDay as Day | null,
        pending,
        version,
        bytes,
      };
    });
}

// Current rows, pending marks and the version in SQLite.

import type { Day } from '../../domain/day.ts';
import { unknownAsset } from '../faults.ts';
import { storable } from '../records.ts';
import type { CurrentRow, Store } from '../store.ts';
import { bytesOfValues, valuesOfBytes } from '../values-blob.ts';
import type { Connection } from './connection.ts';

type Row = [key: number, day: number, history: number, price: number, indicators: Uint8Array<ArrayBuffer>];

export function currentStore(db: Connection): Pick<Store, 'pending' | 'publish' | 'version' | 'currentSince'> {
  const meta = db.query<[version: number, columns: string | null, allSince: number]>(
    'SELECT version, columns, all_since FROM meta',
  );
  const putMeta = db.command('UPDATE meta SET version = ?, columns = ?, all_since = ?');
  const version = db.query<[number]>('SELECT version FROM meta');
  const pending = db.query<[number]>('SELECT asset FROM pending ORDER BY asset');
  const everyAsset = db.query<[number]>('SELECT key FROM assets ORDER BY key');
  const exists = db.query<[number]>('SELECT 1 FROM coverage WHERE asset = ?');
  const unmark = db.command('DELETE FROM pending WHERE asset = ?');
  const markAll = db.command('INSERT OR IGNORE INTO pending SELECT asset FROM current');
  const put = db.command('REPLACE INTO current VALUES (?, ?, ?, ?, ?, ?)');
  const remove = db.command('DELETE FROM current WHERE asset = ?');
  const removeAll = db.command('DELETE FROM current');
  // Without an index: to look at 50,000 rows takes milliseconds, to keep an index costs more at every publication.
  const since = db.query<Row>(
    'SELECT asset, day, history, price, indicators FROM current WHERE version > ? ORDER BY asset',
  );

  return {
    pending: async columns =>
      db.read(() => {
        const stale = columns !== undefined && meta.get()![1] !== columns;
        return (stale ? everyAsset : pending).all().map(([key]) => key);
      }),

    publish: async update =>
      db.write(() => {
        const [before, columns, lastAll] = meta.get()!;
        const next = before + 1;
        let removed = false;
        if (columns !== storable(update.columns)) {
          markAll.run();
          removed = removeAll.run() > 0;
        }
        const written = new Set(update.rows.map(row => row.key));
        for (const key of update.removed) {
          if (!written.has(key) && remove.run(key) > 0) removed = true;
          unmark.run(key);
        }
        for (const { key, day, history, price, values } of update.rows) {
          if (!exists.get(key)) throw unknownAsset(key);
          put.run(key, day, history, price, bytesOfValues(values), next);
          unmark.run(key);
        }
        putMeta.run(next, storable(update.columns), removed ? next : lastAll);
        return next;
      }),

    version: async () => db.read(() => version.get()![0]),

    currentSince: async seen =>
      db.read(() => {
        const [latest, columns, allSince] = meta.get()!;
        const all = seen <= 0 || seen > latest || seen < allSince;
        return { version: latest, columns, all, rows: since.all(all ? -1 : seen).map(currentOfRow) };
      }),
  };
}

function currentOfRow([key, day, history, price, indicators]: Row): CurrentRow {
  // Only days from the domain are ever stored.
  return { key, day: day as Day, history, price, values: valuesOfBytes(indicators) };
}

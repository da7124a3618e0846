// Current rows, pending marks and the version in SQLite.

import { CurrentRows } from '../current-rows.ts';
import { unknownAsset } from '../faults.ts';
import { storable } from '../records.ts';
import type { CurrentRow, Store } from '../store.ts';
import type { Connection } from './connection.ts';
import { manyRows } from './many-rows.ts';
import { indicatorsOf, type PackedPart, packPart } from './packed-part.ts';

type Row = [key: number, day: number, history: number, price: number, indicators: Uint8Array<ArrayBuffer>];

/** Rows are read in parts of this many: as the database gives them they take several times their memory. */
const ROWS_AT_ONCE = 4096;

export function currentStore(db: Connection): Pick<Store, 'pending' | 'publish' | 'version' | 'currentSince'> {
  const meta = db.query<[version: number, columns: string | null, allSince: number]>(
    'SELECT version, columns, all_since FROM meta',
  );
  const putMeta = db.command('UPDATE meta SET version = ?, columns = ?, all_since = ?');
  const version = db.query<[number]>('SELECT version FROM meta');
  const pending = db.query<[number]>('SELECT asset FROM pending ORDER BY asset');
  const everyAsset = db.query<[number]>('SELECT key FROM assets ORDER BY key');
  // Keys of a whole part as a JSON list: a statement for each of them would double the time of a publication.
  const unknown = db.query<[number]>(
    'SELECT value FROM json_each(?) WHERE value NOT IN (SELECT asset FROM coverage) LIMIT 1',
  );
  const unmark = db.command('DELETE FROM pending WHERE asset IN (SELECT value FROM json_each(?))');
  const markAll = db.command('INSERT OR IGNORE INTO pending SELECT asset FROM current');
  const put = manyRows(db, 'REPLACE INTO current VALUES', 6);
  const remove = db.command('DELETE FROM current WHERE asset = ?');
  const removeAll = db.command('DELETE FROM current');
  // Without an index: to look at 50,000 rows takes milliseconds, to keep an index costs more at every publication.
  const since = db.query<Row>(
    `SELECT asset, day, history, price, indicators FROM current
     WHERE version > ? AND asset > ? ORDER BY asset LIMIT ${ROWS_AT_ONCE}`,
  );

  /** Whether a row was removed. */
  function putPart(part: PackedPart, version: number): boolean {
    const missing = unknown.get(listOf(part.keys));
    if (missing) throw unknownAsset(missing[0]);
    let removed = false;
    for (const key of part.removed) if (remove.run(key) > 0) removed = true;
    const { keys, day, history, price } = part;
    put(Array.from(keys, (key, row) => [key, day[row]!, history[row]!, price[row]!, indicatorsOf(part, row), version]));
    unmark.run(listOf(part.keys));
    unmark.run(listOf(part.removed));
    return removed;
  }

  function rowsSince(version: number): CurrentRow[] {
    const found = new CurrentRows();
    for (let after = -1; ; ) {
      const part = since.all(version, after);
      for (const row of part) found.add(...row);
      const last = part.at(-1);
      if (!last || part.length < ROWS_AT_ONCE) return found.rows;
      after = last[0];
    }
  }

  return {
    pending: async columns =>
      db.read(() => {
        const stale = columns !== undefined && meta.get()![1] !== columns;
        return (stale ? everyAsset : pending).all().map(([key]) => key);
      }),

    publish: async (columns, parts) => {
      const packed: PackedPart[] = [];
      for await (const part of parts) packed.push(packPart(part));
      return db.write(() => {
        const [before, oldColumns, lastAll] = meta.get()!;
        const next = before + 1;
        let removed = false;
        if (oldColumns !== storable(columns)) {
          markAll.run();
          removed = removeAll.run() > 0;
        }
        for (const part of packed) if (putPart(part, next)) removed = true;
        putMeta.run(next, storable(columns), removed ? next : lastAll);
        return next;
      });
    },

    version: async () => db.read(() => version.get()![0]),

    currentSince: async seen =>
      db.read(() => {
        const [latest, columns, allSince] = meta.get()!;
        const all = seen <= 0 || seen > latest || seen < allSince;
        return { version: latest, columns, all, rows: rowsSince(all ? -1 : seen) };
      }),
  };
}

function listOf(keys: Iterable<number>): string {
  return JSON.stringify([...keys]);
}

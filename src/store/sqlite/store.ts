// The SQLite adapter of the store: one file, several processes, nothing to install.

import type { Day } from '../../domain/day.ts';
import type { Store, StoreTables, Totals } from '../store.ts';
import { assetStore } from './assets.ts';
import { fillStore, requireEmpty } from './backup.ts';
import { barStore } from './bars.ts';
import type { Connection } from './connection.ts';
import { currentStore } from './current.ts';
import { damaged } from './faults.ts';
import { keyStore } from './keys.ts';
import { loadLog } from './loads.ts';
import { openDatabase } from './open.ts';
import { checkAll } from './seal-all.ts';
import { usageStore } from './usage.ts';
import { watchFile } from './watch.ts';
import { lockWriter } from './writer-lock.ts';

export async function openSqlite(path: string, sparing: boolean): Promise<Store> {
  const db = openDatabase(path, sparing);
  return {
    description: `sqlite:${path}`,
    close: async () => db.close(),
    ...tables(db),
    lockWriter: async () => lockWriter(db.path),
    watch: onChange => watchFile(db, onChange),
    checkIntegrity: async () => checkIntegrity(db),
    readConsistently: work => apart(db, 'read', own => work(tables(own))),
    fill: work =>
      apart(db, 'write', own => {
        requireEmpty(own);
        return work({ ...tables(own), ...fillStore(own) });
      }),
  };
}

function tables(db: Connection): StoreTables {
  return {
    ...assetStore(db),
    ...barStore(db),
    ...currentStore(db),
    ...loadLog(db),
    totals: totals(db),
    ...keyStore(db),
    ...usageStore(db),
  };
}

/** On a connection of its own: the store's is for transactions that run in one go. */
async function apart<T>(db: Connection, kind: 'read' | 'write', work: (own: Connection) => Promise<T>): Promise<T> {
  // Opening would make a file where there is none.
  db.requireFile();
  // Who reads everything once needs none of it again, and what is kept of it would stay in the memory of the process for long.
  const own = openDatabase(db.path, kind === 'read');
  try {
    return await own.lasting(kind, () => work(own));
  } finally {
    own.close();
  }
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

function checkIntegrity(db: Connection): void {
  db.read(() => {
    const [[first] = ['ok']] = db.query<[string]>('PRAGMA integrity_check(1)').all();
    if (first !== 'ok') throw damaged(db.path, undefined, ` (${first.replace(/\s+/g, ' ')})`);
    checkAll(db);
  });
}

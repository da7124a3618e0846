// What only a restored backup writes into SQLite: loads, API keys, alerts and replaced closes as they were, and the versions.

import { BASE_INTERVALS } from '../../domain/interval.ts';
import { notEmpty } from '../port/errors.ts';
import type { DirectFilling } from '../port/store.ts';
import { fillRecords } from '../records/records.ts';
import { CheckedTable } from './checked-table.ts';
import type { Connection } from './connection.ts';
import { CoverageTable } from './coverage.ts';
import { DroppedTable } from './dropped.ts';
import { MetaTable } from './meta.ts';
import { PendingTable } from './pending.ts';
import { sqliteRecords } from './records.ts';
import { replacedStore } from './replaced.ts';
import { SERIES } from './series-layout.ts';

export function requireEmpty(db: Connection): void {
  const { assets, apiKeys } = new MetaTable(db).read();
  const load = db.query('SELECT 1 FROM loads LIMIT 1').get();
  const alert = db.query('SELECT 1 FROM alerts LIMIT 1').get();
  if (assets > 0 || apiKeys > 0 || load !== undefined || alert !== undefined) throw notEmpty(db.path);
}

export function fillStore(db: Connection): DirectFilling {
  const pendingTable = new PendingTable(db);
  const publications = new CheckedTable<[version: number]>(db, 'publications');
  const meta = new MetaTable(db);

  return {
    ...fillRecords(sqliteRecords(db)),

    putReplaced: async (interval, batch) => db.write(() => replacedStore(db, SERIES[interval]).add(batch)),

    putPublishedSpans: async (interval, spans) =>
      db.write(() => {
        const coverage = new CoverageTable(db, SERIES[interval]);
        const covered = coverage.of(spans.keys());
        for (const [asset, span] of spans) covered.setPublished(asset, span?.[0] ?? 0, span === null ? 0 : span[1] + 1);
        coverage.put(covered);
      }),

    settle: async ({ pending, version, keysVersion, dropped }) =>
      db.write(() => {
        const table = new DroppedTable(db);
        for (const interval of BASE_INTERVALS) {
          const before = dropped[interval];
          if (before !== undefined) table.put(interval, before);
        }
        pendingTable.remove(pendingTable.all());
        pendingTable.add(pending);
        meta.update({ version, allSince: version, keysVersion });
        if (version > 0) publications.put([version]);
      }),
  };
}

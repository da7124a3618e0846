// The log of loads and their rejects in SQLite.

import { unknownLoad } from '../port/errors.ts';
import {
  LOADS_KEPT,
  LOADS_WITH_CHANGES_KEPT,
  LOADS_WITH_REJECTS_KEPT,
  type LoadLog,
  type LoadOutcome,
  REJECTS_KEPT,
  type StoredLoad,
} from '../port/store.ts';
import { storable } from '../records/storable.ts';
import { CheckedTable } from './checked-table.ts';
import type { Connection } from './connection.ts';

type LoadRow = [
  id: number,
  source: string,
  startedAt: string,
  endedAt: string | null,
  state: StoredLoad['state'],
  error: string | null,
  read: number,
  inserted: number,
  replaced: number,
  unchanged: number,
  rejected: number,
];

const BEGUN: LoadOutcome = {
  state: 'running',
  error: null,
  read: 0,
  inserted: 0,
  replaced: 0,
  unchanged: 0,
  rejected: 0,
};

export interface LoadTable extends LoadLog {
  /** As it is. */
  add(load: StoredLoad): void;
}

export function loadLog(db: Connection): LoadTable {
  const table = new CheckedTable<LoadRow>(db, 'loads');
  const byId = table.select('WHERE id = ?');
  const newest = table.select('WHERE ?1 IS NULL OR source = ?1 ORDER BY id DESC LIMIT ?2');
  const forgetLoads = db.command(
    `DELETE FROM loads
     WHERE id <= (SELECT id FROM loads ORDER BY id DESC LIMIT 1 OFFSET ?1)
       AND (inserted + replaced = 0
         OR id <= (SELECT id FROM loads WHERE inserted + replaced > 0 ORDER BY id DESC LIMIT 1 OFFSET ?2))
       AND id NOT IN (SELECT max(id) FROM loads WHERE state = 'done' GROUP BY source ORDER BY max(id) DESC LIMIT ?1)`,
  );
  const rejects = new CheckedTable<[load: number, number: number, place: string, reason: string, detail: string]>(
    db,
    'rejects',
  );
  const rejectsOf = rejects.select('WHERE load = ? ORDER BY number LIMIT ?');
  const kept = db.query<[number]>('SELECT count(*) FROM rejects WHERE load = ?');
  const forgetRejects = db.command(
    'DELETE FROM rejects WHERE load <= (SELECT id FROM loads ORDER BY id DESC LIMIT 1 OFFSET ?)',
  );

  function add({ id, source, startedAt, endedAt, state, error, ...counts }: StoredLoad): void {
    const { read, inserted, replaced, unchanged, rejected } = counts;
    table.put([id, source, startedAt, endedAt, state, error, read, inserted, replaced, unchanged, rejected]);
  }

  return {
    add,

    beginLoad: async source =>
      db.write(() => {
        // The newest load is never forgotten, so that no number is given twice.
        const id = (newest.get(null, 1)?.[0] ?? 0) + 1;
        add({ ...BEGUN, id, source: storable(source), startedAt: new Date().toISOString(), endedAt: null });
        forgetLoads.run(LOADS_KEPT, LOADS_WITH_CHANGES_KEPT);
        forgetRejects.run(LOADS_WITH_REJECTS_KEPT);
        return id;
      }),

    updateLoad: async (id, outcome) =>
      db.write(() => {
        const row = byId.get(id);
        if (row === undefined) throw unknownLoad(id);
        const { source, startedAt } = loadOfRow(row);
        const endedAt = outcome.state === 'running' ? null : new Date().toISOString();
        const error = outcome.error === null ? null : storable(outcome.error);
        add({ ...outcome, id, source, startedAt, endedAt, error });
      }),

    addRejects: async (load, added) =>
      db.write(() => {
        if (!byId.get(load)) throw unknownLoad(load);
        let number = kept.get(load)![0];
        for (const { where, reason, detail } of added.slice(0, REJECTS_KEPT - number)) {
          rejects.put([load, ++number, storable(where), storable(reason), storable(detail)]);
        }
      }),

    loads: async (limit, source) =>
      db.read(() => newest.all(source === undefined ? null : storable(source), limit).map(loadOfRow)),

    loadsOf: async numbers =>
      db.read(() =>
        numbers
          .map(number => byId.get(number))
          .filter(row => row !== undefined)
          .map(loadOfRow),
      ),

    rejects: async (load, limit) =>
      db.read(() => rejectsOf.all(load, limit).map(([, , where, reason, detail]) => ({ where, reason, detail }))),
  };
}

function loadOfRow(row: LoadRow): StoredLoad {
  const [id, source, startedAt, endedAt, state, error, read, inserted, replaced, unchanged, rejected] = row;
  return { id, source, startedAt, endedAt, state, error, read, inserted, replaced, unchanged, rejected };
}

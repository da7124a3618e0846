// Ingest loads and their rejects in SQLite.

import { unknownLoad } from '../faults.ts';
import { storable } from '../records.ts';
import { LOADS_KEPT, LOADS_WITH_REJECTS_KEPT, type LoadLog, REJECTS_KEPT, type StoredLoad } from '../store.ts';
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

export function loadLog(db: Connection): LoadLog {
  const begin = db.query<[number]>(
    `INSERT INTO loads (source, started_at, state) VALUES (?, ?, 'running') RETURNING id`,
  );
  const forgetLoads = db.command(
    `DELETE FROM loads WHERE id NOT IN (SELECT id FROM loads ORDER BY id DESC LIMIT ?1) AND id NOT IN (
       SELECT max(id) FROM loads WHERE state = 'done' GROUP BY source ORDER BY max(id) DESC LIMIT ?1)`,
  );
  const forgetRejects = db.command(
    'DELETE FROM rejects WHERE load <= (SELECT id FROM loads ORDER BY id DESC LIMIT 1 OFFSET ?)',
  );
  const update = db.command(
    `UPDATE loads SET state = ?, error = ?, read = ?, inserted = ?, replaced = ?, unchanged = ?, rejected = ?, ended_at = ?
     WHERE id = ?`,
  );
  const exists = db.query<[number]>('SELECT 1 FROM loads WHERE id = ?');
  const kept = db.query<[number]>('SELECT count(*) FROM rejects WHERE load = ?');
  const addReject = db.command('INSERT INTO rejects VALUES (?, ?, ?, ?, ?)');
  const newest = db.query<LoadRow>(
    `SELECT id, source, started_at, ended_at, state, error, read, inserted, replaced, unchanged, rejected
     FROM loads WHERE ?1 IS NULL OR source = ?1 ORDER BY id DESC LIMIT ?2`,
  );
  const rejects = db.query<[string, string, string]>(
    'SELECT place, reason, detail FROM rejects WHERE load = ? ORDER BY number LIMIT ?',
  );

  return {
    beginLoad: async source =>
      db.write(() => {
        const [id] = begin.get(storable(source), new Date().toISOString())!;
        forgetLoads.run(LOADS_KEPT);
        forgetRejects.run(LOADS_WITH_REJECTS_KEPT);
        return id;
      }),

    updateLoad: async (load, outcome) =>
      db.write(() => {
        const { state, error, read, inserted, replaced, unchanged, rejected } = outcome;
        const endedAt = state === 'running' ? null : new Date().toISOString();
        const told = error === null ? null : storable(error);
        const changed = update.run(state, told, read, inserted, replaced, unchanged, rejected, endedAt, load);
        if (changed === 0) throw unknownLoad(load);
      }),

    addRejects: async (load, added) =>
      db.write(() => {
        if (!exists.get(load)) throw unknownLoad(load);
        let number = kept.get(load)![0];
        for (const { where, reason, detail } of added.slice(0, REJECTS_KEPT - number)) {
          addReject.run(load, ++number, storable(where), storable(reason), storable(detail));
        }
      }),

    loads: async (limit, source) =>
      db.read(() => newest.all(source === undefined ? null : storable(source), limit).map(loadOfRow)),

    rejects: async (load, limit) =>
      db.read(() => rejects.all(load, limit).map(([where, reason, detail]) => ({ where, reason, detail }))),
  };
}

function loadOfRow(row: LoadRow): StoredLoad {
  const [id, source, startedAt, endedAt, state, error, read, inserted, replaced, unchanged, rejected] = row;
  return { id, source, startedAt, endedAt, state, error, read, inserted, replaced, unchanged, rejected };
}

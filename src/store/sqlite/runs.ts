// Ingest runs and their rejects in SQLite.

import { unknownRun } from '../faults.ts';
import { storable } from '../records.ts';
import { type LoadLog, REJECTED_RUNS_KEPT, REJECTS_KEPT, RUNS_KEPT, type Run } from '../store.ts';
import type { Connection } from './connection.ts';

type RunRow = [
  id: number,
  source: string,
  startedAt: string,
  endedAt: string | null,
  state: Run['state'],
  error: string | null,
  read: number,
  inserted: number,
  replaced: number,
  unchanged: number,
  rejected: number,
];

export function runStore(db: Connection): LoadLog {
  const begin = db.query<[number]>(
    `INSERT INTO runs (source, started_at, state) VALUES (?, ?, 'running') RETURNING id`,
  );
  const forgetRuns = db.command(
    `DELETE FROM runs WHERE id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?1) AND id NOT IN (
       SELECT max(id) FROM runs WHERE state = 'done' GROUP BY source ORDER BY max(id) DESC LIMIT ?1)`,
  );
  const forgetRejects = db.command(
    'DELETE FROM rejects WHERE run <= (SELECT id FROM runs ORDER BY id DESC LIMIT 1 OFFSET ?)',
  );
  const update = db.command(
    `UPDATE runs SET state = ?, error = ?, read = ?, inserted = ?, replaced = ?, unchanged = ?, rejected = ?, ended_at = ?
     WHERE id = ?`,
  );
  const exists = db.query<[number]>('SELECT 1 FROM runs WHERE id = ?');
  const kept = db.query<[number]>('SELECT count(*) FROM rejects WHERE run = ?');
  const addReject = db.command('INSERT INTO rejects VALUES (?, ?, ?, ?, ?)');
  const newest = db.query<RunRow>(
    `SELECT id, source, started_at, ended_at, state, error, read, inserted, replaced, unchanged, rejected
     FROM runs WHERE ?1 IS NULL OR source = ?1 ORDER BY id DESC LIMIT ?2`,
  );
  const rejects = db.query<[string, string, string]>(
    'SELECT place, reason, detail FROM rejects WHERE run = ? ORDER BY number LIMIT ?',
  );

  return {
    beginRun: async source =>
      db.write(() => {
        const [id] = begin.get(storable(source), new Date().toISOString())!;
        forgetRuns.run(RUNS_KEPT);
        forgetRejects.run(REJECTED_RUNS_KEPT);
        return id;
      }),

    updateRun: async (run, outcome) =>
      db.write(() => {
        const { state, error, read, inserted, replaced, unchanged, rejected } = outcome;
        const endedAt = state === 'running' ? null : new Date().toISOString();
        const told = error === null ? null : storable(error);
        const changed = update.run(state, told, read, inserted, replaced, unchanged, rejected, endedAt, run);
        if (changed === 0) throw unknownRun(run);
      }),

    addRejects: async (run, added) =>
      db.write(() => {
        if (!exists.get(run)) throw unknownRun(run);
        let number = kept.get(run)![0];
        for (const { where, reason, detail } of added.slice(0, REJECTS_KEPT - number)) {
          addReject.run(run, ++number, storable(where), storable(reason), storable(detail));
        }
      }),

    runs: async (limit, source) =>
      db.read(() => newest.all(source === undefined ? null : storable(source), limit).map(runOfRow)),

    rejects: async (run, limit) =>
      db.read(() => rejects.all(run, limit).map(([where, reason, detail]) => ({ where, reason, detail }))),
  };
}

function runOfRow(row: RunRow): Run {
  const [id, source, startedAt, endedAt, state, error, read, inserted, replaced, unchanged, rejected] = row;
  return { id, source, startedAt, endedAt, state, error, read, inserted, replaced, unchanged, rejected };
}

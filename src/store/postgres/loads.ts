// Ingest loads and their rejects in PostgreSQL.

import { unknownLoad } from '../port/errors.ts';
import {
  LOADS_KEPT,
  LOADS_WITH_CHANGES_KEPT,
  LOADS_WITH_REJECTS_KEPT,
  type LoadLog,
  REJECTS_KEPT,
  type StoredLoad,
  type StoredReject,
} from '../port/store.ts';
import { storable } from '../records/storable.ts';
import { arrayText, type Database } from './database.ts';

type LoadRow = Omit<StoredLoad, 'startedAt' | 'endedAt'> & { started_at: Date; ended_at: Date | null };

export function loadLog(db: Database): LoadLog {
  return {
    beginLoad: source =>
      db.write(async sql => {
        const [load] = await sql<{ id: number }>`
          INSERT INTO tidemark.loads (source, started_at, state)
          VALUES (${storable(source)}, ${new Date()}, 'running') RETURNING id`;
        await sql`
          DELETE FROM tidemark.loads
          WHERE id <= (SELECT id FROM tidemark.loads ORDER BY id DESC LIMIT 1 OFFSET ${LOADS_KEPT})
          AND (inserted + replaced = 0 OR id <= (
            SELECT id FROM tidemark.loads WHERE inserted + replaced > 0 ORDER BY id DESC
            LIMIT 1 OFFSET ${LOADS_WITH_CHANGES_KEPT}))
          AND id NOT IN (
            SELECT max(id) FROM tidemark.loads WHERE state = 'done' GROUP BY source ORDER BY max(id) DESC
            LIMIT ${LOADS_KEPT})`;
        await sql`
          DELETE FROM tidemark.rejects
          WHERE load <= (SELECT id FROM tidemark.loads ORDER BY id DESC LIMIT 1 OFFSET ${LOADS_WITH_REJECTS_KEPT})`;
        // RETURNING gives a row for each inserted one.
        return load!.id;
      }),

    updateLoad: (load, outcome) =>
      db.write(async sql => {
        const { state, error, read, inserted, replaced, unchanged, rejected } = outcome;
        const updated = await sql`
          UPDATE tidemark.loads
          SET state = ${state}, error = ${error === null ? null : storable(error)}, read = ${read},
            inserted = ${inserted}, replaced = ${replaced}, unchanged = ${unchanged}, rejected = ${rejected},
            ended_at = ${state === 'running' ? null : new Date()}
          WHERE id = ${load} RETURNING id`;
        if (updated.length === 0) throw unknownLoad(load);
      }),

    addRejects: (load, added) =>
      db.write(async sql => {
        const [found] = await sql<{ kept: number }>`
          SELECT (SELECT count(*)::int FROM tidemark.rejects WHERE load = id) AS kept FROM tidemark.loads WHERE id = ${load}`;
        if (!found) throw unknownLoad(load);
        const rows = added.slice(0, REJECTS_KEPT - found.kept).map(({ where, reason, detail }, index) => ({
          number: found.kept + index + 1,
          place: storable(where),
          reason: storable(reason),
          detail: storable(detail),
        }));
        await sql`
          INSERT INTO tidemark.rejects
          SELECT ${load}::int, * FROM json_to_recordset(${JSON.stringify(rows)}::json)
            AS new (number int, place text, reason text, detail text)`;
      }),

    loads: (limit, source) =>
      db.query(async sql => {
        const wanted = source === undefined ? null : storable(source);
        const rows = await sql<LoadRow>`
          SELECT id, source, started_at, ended_at, state, error, read, inserted, replaced, unchanged, rejected
          FROM tidemark.loads WHERE source = ${wanted} OR ${wanted}::text IS NULL ORDER BY id DESC LIMIT ${limit}`;
        return rows.map(loadOfRow);
      }),

    loadsOf: numbers =>
      db.query(async sql => {
        const rows = await sql<LoadRow>`
          SELECT id, source, started_at, ended_at, state, error, read, inserted, replaced, unchanged, rejected
          FROM tidemark.loads WHERE id = ANY(${arrayText(numbers)}::int[])`;
        return rows.map(loadOfRow);
      }),

    rejects: (load, limit) =>
      db.query(async sql => {
        const rows = await sql<StoredReject>`
          SELECT place AS where, reason, detail FROM tidemark.rejects WHERE load = ${load} ORDER BY number LIMIT ${limit}`;
        return rows.map(reject => ({ ...reject }));
      }),
  };
}

function loadOfRow({ started_at, ended_at, ...load }: LoadRow): StoredLoad {
  return { ...load, startedAt: started_at.toISOString(), endedAt: ended_at?.toISOString() ?? null };
}

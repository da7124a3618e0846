// The log of loads, and the lines that they refused.

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
import type { Records, Steps } from './steps.ts';
import { storable, storableOrNull } from './storable.ts';
import { LOADS, REJECTS } from './tables.ts';

const BEGUN: LoadOutcome = {
  state: 'running',
  error: null,
  read: 0,
  inserted: 0,
  replaced: 0,
  unchanged: 0,
  rejected: 0,
};

export function loadLog(db: Records): LoadLog {
  return {
    beginLoad: source =>
      db.write(function* () {
        const startedAt = new Date().toISOString();
        // The newest load is never forgotten, so that no number is given twice.
        const id = yield* LOADS.add([{ ...BEGUN, source: storable(source), startedAt, endedAt: null }]);
        yield* forgetOld();
        return id;
      }),

    updateLoad: (id, { state, error, read, inserted, replaced, unchanged, rejected }) =>
      db.write(function* () {
        const load = yield* existing(id);
        const endedAt = state === 'running' ? null : new Date().toISOString();
        const counts = { read, inserted, replaced, unchanged, rejected };
        yield* LOADS.update(load, { state, error: storableOrNull(error), ...counts, endedAt });
      }),

    addRejects: (id, added) =>
      db.write(function* () {
        const { id: load } = yield* existing(id);
        const [last] = yield* REJECTS.rows('WHERE load = $1 ORDER BY number DESC LIMIT 1', load);
        const kept = last?.number ?? 0;
        const fresh = added.slice(0, REJECTS_KEPT - kept).map(({ where, reason, detail }, i) => ({
          load,
          number: kept + i + 1,
          where: storable(where),
          reason: storable(reason),
          detail: storable(detail),
        }));
        yield* REJECTS.put(fresh);
      }),

    loads: async (limit, source) => {
      const wanted = storableOrNull(source ?? null);
      const condition = 'WHERE source = coalesce($1, source) ORDER BY id DESC LIMIT $2';
      return [...(await db.query(() => LOADS.rows(condition, wanted, limit)))];
    },

    loadsOf: async numbers => [...(await db.query(() => LOADS.rowsOf('id', numbers)))],

    rejects: async (load, limit) => {
      const found = await db.query(() => REJECTS.rows('WHERE load = $1 ORDER BY number LIMIT $2', load, limit));
      return found.map(({ where, reason, detail }) => ({ where, reason, detail }));
    },
  };
}

function* existing(id: number): Steps<StoredLoad> {
  const [load] = yield* LOADS.rows('WHERE id = $1', id);
  if (load === undefined) throw unknownLoad(id);
  return load;
}

function* forgetOld(): Steps<void> {
  yield* LOADS.remove(
    `WHERE id <= (SELECT id FROM loads ORDER BY id DESC LIMIT 1 OFFSET $1)
       AND (inserted + replaced = 0
         OR id <= (SELECT id FROM loads WHERE inserted + replaced > 0 ORDER BY id DESC LIMIT 1 OFFSET $2))
       AND id NOT IN (SELECT max(id) FROM loads WHERE state = 'done' GROUP BY source ORDER BY max(id) DESC LIMIT $1)`,
    LOADS_KEPT,
    LOADS_WITH_CHANGES_KEPT,
  );
  yield* REJECTS.remove(
    'WHERE load <= (SELECT id FROM loads ORDER BY id DESC LIMIT 1 OFFSET $1)',
    LOADS_WITH_REJECTS_KEPT,
  );
}

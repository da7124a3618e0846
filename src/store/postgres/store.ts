// The PostgreSQL adapter of the store: for data and servers beyond one machine.

import type { Day } from '../../domain/day.ts';
import type { Store, StoreTables, Totals } from '../store.ts';
import { alertStore } from './alerts.ts';
import { assetStore } from './assets.ts';
import { fillStore, requireEmpty } from './backup.ts';
import { barStore } from './bars.ts';
import type { Database } from './connection.ts';
import { correctionStore } from './corrections.ts';
import { currentStore } from './current.ts';
import { RemoteDatabase, withinTransaction } from './database.ts';
import { keyStore } from './keys.ts';
import { liveStore } from './live.ts';
import { loadLog } from './loads.ts';
import { lockDatabase } from './locks.ts';
import { migrate } from './migrate.ts';
import { profileStore } from './profiles.ts';
import { usageStore } from './usage.ts';
import { watchDatabase } from './watch.ts';

export async function openPostgres(url: string): Promise<Store> {
  const db = new RemoteDatabase(url);
  try {
    await migrate(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return {
    description: db.name,
    readOnly: false,
    close: () => db.close(),
    ...tables(db),
    lock: purpose => lockDatabase(db, purpose),
    watch: onChange => watchDatabase(db, onChange),
    // PostgreSQL compares the checksums of its pages itself, whenever it reads one; there is nothing to ask for.
    checkIntegrity: async () => {},
    readConsistently: work => db.readOnce(sql => work(tables(withinTransaction(sql, db)))),
    fill: work =>
      db.write(async sql => {
        const within = withinTransaction(sql, db);
        await requireEmpty(within);
        await work({ ...tables(within), ...fillStore(within) });
      }),
  };
}

function tables(db: Database): StoreTables {
  return {
    ...assetStore(db),
    ...profileStore(db),
    ...barStore(db),
    ...currentStore(db),
    ...loadLog(db),
    totals: () => totals(db),
    ...keyStore(db),
    ...usageStore(db),
    ...alertStore(db),
    ...liveStore(db),
    ...correctionStore(db),
  };
}

function totals(db: Database): Promise<Totals> {
  return db.read(async sql => {
    const [found] = await sql<Omit<Totals, 'firstDay' | 'lastDay'> & { first: number | null; last: number | null }>`
      SELECT (SELECT count(*) FROM tidemark.assets) AS assets,
        (SELECT count(*) FROM tidemark.profiles) AS profiles,
        (SELECT coalesce(sum(bars), 0) FROM tidemark.coverage) AS bars,
        (SELECT min(first_day) FROM tidemark.coverage WHERE bars > 0) AS first,
        (SELECT max(last_day) FROM tidemark.coverage WHERE bars > 0) AS last,
        (SELECT count(*) FROM tidemark.coverage WHERE pending) AS pending,
        (SELECT version FROM tidemark.meta) AS version,
        (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
         WHERE relnamespace = 'tidemark'::regnamespace AND relkind IN ('r', 'p')) AS bytes`;
    // A SELECT of subqueries always gives one row.
    const { first, last, ...counts } = found!;
    // Only days from the domain are ever stored.
    return { ...counts, firstDay: first as Day | null, lastDay: last as Day | null };
  });
}

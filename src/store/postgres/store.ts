// The PostgreSQL adapter of the store: for data and servers beyond one machine.

import type { Day } from '../../domain/day.ts';
import type { Period } from '../../domain/interval.ts';
import type { IntervalTotals, Store, StoreTables, Totals } from '../port/store.ts';
import { recordStore } from '../records/records.ts';
import { assetStore } from './assets.ts';
import { fillStore, requireEmpty } from './backup.ts';
import { seriesStore } from './bars.ts';
import { checkIntegrity } from './check.ts';
import type { Database, Sql } from './database.ts';
import { lockDatabase } from './locks.ts';
import { migrate } from './migrate.ts';
import { isDistributed } from './node-shares.ts';
import { publicationStore } from './publications.ts';
import { postgresRecords } from './records.ts';
import { RemoteDatabase, withinTransaction } from './remote-database.ts';
import { SERIES } from './series-layout.ts';
import { serverRegistry } from './servers.ts';
import { watchDatabase } from './watch.ts';

export async function openPostgres(url: string, create: boolean): Promise<Store> {
  const db = new RemoteDatabase(url);
  try {
    await migrate(db, create);
    await db.findNodes();
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
    checkIntegrity: () => checkIntegrity(db),
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
  const series = seriesStore(db);
  return {
    ...assetStore(db),
    ...series['1d'],
    series: interval => series[interval],
    intervals: () => intervals(db),
    ...publicationStore(db),
    totals: () => totals(db),
    ...recordStore(postgresRecords(db)),
    ...serverRegistry(db),
  };
}

function totals(db: Database): Promise<Totals> {
  return db.read(async sql => {
    const [found] = await sql<
      Omit<Totals, 'firstDay' | 'lastDay' | 'bytes'> & { first: number | null; last: number | null }
    >`
      SELECT (SELECT count(*) FROM tidemark.assets) AS assets,
        (SELECT count(*) FROM tidemark.profiles) AS profiles,
        (SELECT coalesce(sum(bars), 0) FROM tidemark.coverage) AS bars,
        (SELECT min(first_day) FROM tidemark.coverage WHERE bars > 0) AS first,
        (SELECT max(last_day) FROM tidemark.coverage WHERE bars > 0) AS last,
        (SELECT count(*) FROM tidemark.coverage WHERE pending) AS pending,
        (SELECT version FROM tidemark.meta) AS version`;
    // A SELECT of subqueries always gives one row.
    const { first, last, ...counts } = found!;
    // Only days from the domain are ever stored.
    return { ...counts, firstDay: first as Day | null, lastDay: last as Day | null, bytes: await sizeOf(sql) };
  });
}

function intervals(db: Database): Promise<IntervalTotals[]> {
  return db.read(async sql => {
    const totals: IntervalTotals[] = [];
    for (const { interval, coverage, first, last } of Object.values(SERIES)) {
      const { rows } = await sql.run<Pick<IntervalTotals, 'bars' | 'first' | 'last'>>(
        `SELECT coalesce(sum(bars), 0)::bigint AS bars, min(${first}) AS first, max(${last}) AS last FROM ${coverage} WHERE bars > 0`,
        [],
      );
      const [dropped] = await sql<{
        before: Period;
      }>`SELECT before FROM tidemark.dropped_bars WHERE interval = ${interval}`;
      totals.push({ interval, ...rows[0]!, droppedBefore: dropped?.before ?? null }); // an aggregate gives one row
    }
    return totals;
  });
}

/** Of all tables with their indexes; those that are distributed are on the workers. */
async function sizeOf(sql: Sql): Promise<number> {
  const [own] = await sql<{ bytes: number }>`
    SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes FROM pg_class
    WHERE relnamespace = 'tidemark'::regnamespace AND relkind IN ('r', 'p')`;
  const [distributed] = (await isDistributed(sql))
    ? await sql<{ bytes: number }>`
        SELECT sum(citus_total_relation_size(logicalrelid))::bigint AS bytes FROM pg_catalog.pg_dist_partition
        WHERE logicalrelid::oid IN (SELECT oid FROM pg_class WHERE relnamespace = 'tidemark'::regnamespace)`
    : [];
  return own!.bytes + (distributed?.bytes ?? 0); // a sum gives one row
}

// The SQLite adapter of the store: one file, several processes, nothing to install.

import type { Day } from '../../domain/day.ts';
import type { Period } from '../../domain/interval.ts';
import type { IntervalTotals, Store, StoreTables, Totals } from '../port/store.ts';
import { recordStore } from '../records/records.ts';
import { assetStore } from './assets.ts';
import { fillStore, requireEmpty } from './backup.ts';
import { seriesStore } from './bars.ts';
import { checkIntegrity } from './check.ts';
import type { Connection } from './connection.ts';
import { CoverageTable } from './coverage.ts';
import { DroppedTable } from './dropped.ts';
import { lockBeside } from './locks.ts';
import { MetaTable } from './meta.ts';
import { hasOtherLayout, openDatabase } from './open.ts';
import { PendingTable } from './pending.ts';
import { publicationStore } from './publications.ts';
import { sqliteRecords } from './records.ts';
import { SERIES } from './series-layout.ts';
import { serverRegistry } from './servers.ts';
import { watchFile } from './watch.ts';

/** `sparing`: with a small cache, for a server that reads little once its snapshot is built. */
export async function openSqlite(path: string, sparing: boolean): Promise<Store> {
  const db = openDatabase(path, sparing);
  const reading = new ReadingConnections(db);
  return {
    description: `sqlite:${path}`,
    readOnly: db.readOnly,
    close: async () => {
      reading.close();
      db.close();
    },
    ...tables(db, false),
    lock: async purpose => lockBeside(db.path, purpose),
    watch: onChange => watchFile(db, onChange),
    checkIntegrity: async () => checkIntegrity(db),
    readConsistently: work => reading.use(own => work(tables(own, true))),
    fill: async work => {
      // Opening would create a file where there is none.
      db.requireFile();
      const own = openDatabase(db.path, false);
      try {
        return await own.lasting('write', () => {
          requireEmpty(own);
          return work({ ...tables(own, false), ...fillStore(own) });
        });
      } finally {
        own.close();
      }
    },
  };
}

function tables(db: Connection, isLasting: boolean): StoreTables {
  const series = seriesStore(db, isLasting);
  return {
    ...assetStore(db),
    ...series['1d'],
    series: interval => series[interval],
    intervals: intervals(db),
    ...publicationStore(db),
    totals: totals(db),
    ...recordStore(sqliteRecords(db)),
    ...serverRegistry(db),
  };
}

/** The connection of the store itself is for synchronous transactions. */
class ReadingConnections {
  readonly #db: Connection;
  /** Kept for the next one: to open a connection takes as long as to read a new close. */
  #idle: Connection | null = null;
  #isClosed = false;

  constructor(db: Connection) {
    this.#db = db;
  }

  async use<T>(work: (own: Connection) => Promise<T>): Promise<T> {
    this.#db.requireFile();
    // A caller that reads everything once needs no large cache, whose memory would stay with the process for long.
    const own = this.#take() ?? openDatabase(this.#db.path, true);
    try {
      const result = await own.lasting('read', () => work(own));
      this.#keep(own);
      return result;
    } catch (error) {
      own.close();
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#idle?.close();
  }

  #take(): Connection | null {
    const idle = this.#idle;
    this.#idle = null;
    if (idle === null) return null;
    try {
      if (!hasOtherLayout(idle)) return idle;
    } catch {
      // Opening the file says what is wrong.
    }
    idle.close();
    return null;
  }

  /** One that may only read could miss what others write from now on. */
  #keep(own: Connection): void {
    if (this.#isClosed || this.#idle !== null || own.readOnly || own.file !== this.#db.file) own.close();
    else this.#idle = own;
  }
}

function totals(db: Connection): () => Promise<Totals> {
  const meta = new MetaTable(db);
  const coverage = new CoverageTable(db);
  const pending = new PendingTable(db);
  const size = db.query<[profiles: number, bytes: number]>(
    `SELECT (SELECT count(*) FROM profiles), (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)`,
  );
  return async () =>
    db.read(() => {
      const { assets, version } = meta.read();
      const { bars, first, last } = coverage.all(assets).total();
      const [profiles, bytes] = size.get()!;
      return {
        assets,
        profiles,
        bars,
        // Only days from the domain are ever stored.
        firstDay: first as Day | null,
        lastDay: last as Day | null,
        pending: pending.all().length,
        version,
        bytes,
      };
    });
}

function intervals(db: Connection): () => Promise<IntervalTotals[]> {
  const meta = new MetaTable(db);
  const dropped = new DroppedTable(db);
  const coverages = Object.values(SERIES).map(layout => [layout.interval, new CoverageTable(db, layout)] as const);
  return async () =>
    db.read(() => {
      const { assets } = meta.read();
      return coverages.map(([interval, coverage]) => ({
        interval,
        ...coverage.all(assets).total(),
        droppedBefore: dropped.before(interval) as Period | null, // only periods from the domain are ever stored
      }));
    });
}

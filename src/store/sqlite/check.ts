// Checks the whole of a SQLite store: the structure of the file, the checksum of every row, and the tables against one another.

import { BLOCK_DAYS } from '../bars/blocks.ts';
import { loadOf } from '../port/origins.ts';
import { COPIED_TABLES } from '../records/tables.ts';
import { BlockTable } from './bar-blocks.ts';
import type { BarTables } from './bar-tables.ts';
import { tileTables } from './bar-tiles.ts';
import { type Blob, type Cell, CheckedTable, numbersOf } from './checked-table.ts';
import { requireCount, rowMismatch } from './checksum-mismatch.ts';
import type { Connection } from './connection.ts';
import { CoverageTable } from './coverage.ts';
import { damaged } from './faults.ts';
import { TABLES, type TableName } from './layout.ts';
import { hasAsset, type Meta, MetaTable } from './meta.ts';
import { PendingTable } from './pending.ts';
import { currentRows } from './publications.ts';
import { SERIES, type SeriesLayout } from './series-layout.ts';

/** Fails with the first thing that is wrong. */
export function checkIntegrity(db: Connection): void {
  db.read(() => {
    const [[first] = ['ok']] = db.query<[string]>('PRAGMA integrity_check(1)').all();
    if (first !== 'ok') throw damaged(db.path, undefined, ` (${first.replace(/\s+/g, ' ')})`);
    const meta = new MetaTable(db).read();
    const names = Object.keys(TABLES) as TableName[]; // the keys of the table
    const counts = new Map(names.map(name => [name, countRows(db, name)]));
    requireCount('assets', counts.get('assets')!, meta.assets);
    requireCount('api_keys', counts.get('api_keys')!, meta.apiKeys);
    checkAssets(db, meta);
    for (const layout of Object.values(SERIES)) {
      const tables = layout.fine === null ? tileTables(db) : new BlockTable(db, layout.fine);
      checkCoverage(db, meta, layout, tables);
      checkOrigins(db, layout, tables);
    }
    checkSources(db);
    checkRows(db, meta, counts.get('current_rows')!);
  });
}

/** Compares every row with its checksum. */
function countRows(db: Connection, name: TableName): number {
  let count = 0;
  for (const _ of new CheckedTable<Cell[]>(db, name).select('').each()) count++;
  return count;
}

/** What refers to an asset refers to one that exists. */
function checkAssets(db: Connection, meta: Meta): void {
  const ofTables = COPIED_TABLES.filter(({ columns }) => columns.some(({ name }) => name === 'asset')).map(
    // The number 0 stands for all assets.
    ({ name }) =>
      [name, db.query<[number]>(`SELECT DISTINCT asset FROM ${name} WHERE asset <> 0`).all().flat()] as const,
  );
  for (const [name, assets] of [
    ...ofTables,
    ['profiles', db.query<[number]>('SELECT asset FROM profiles').all().flat()],
    ['pending', new PendingTable(db).all()],
  ] as const) {
    for (const asset of assets) {
      if (!hasAsset(meta, asset)) throw rowMismatch(name, asset, 'belongs to no asset');
    }
  }
}

/** Counts the closes of every asset. */
function checkCoverage(db: Connection, meta: Meta, layout: SeriesLayout, tables: BarTables): void {
  const size = meta.assets + 1;
  const [bars, first, last] = [new Uint32Array(size), new Int32Array(size), new Int32Array(size)];
  for (const { place, firstAsset, block, closes } of tables.each()) {
    for (let cell = 0; cell < closes.length; cell++) {
      if (Number.isNaN(closes[cell])) continue;
      const asset = firstAsset + Math.floor(cell / BLOCK_DAYS);
      const day = block * BLOCK_DAYS + (cell % BLOCK_DAYS);
      if (!hasAsset(meta, asset))
        throw rowMismatch(layout.fine?.blocks ?? 'tiles', place, `has a close of the unknown asset ${asset}`);
      if (bars[asset]!++ === 0) first[asset] = day;
      last[asset] = day;
    }
  }
  const covered = new CoverageTable(db, layout).all(meta.assets);
  for (let asset = 1; asset <= meta.assets; asset++) {
    const { firstDay, lastDay, bars: counted } = covered.of(asset);
    const same = bars[asset] === counted && (counted === 0 || (first[asset] === firstDay && last[asset] === lastDay));
    if (!same) throw rowMismatch(layout.coverage, asset, 'does not fit the bars of its asset');
  }
}

/** Every origin is the number of a load that has begun. */
function checkOrigins(db: Connection, { fine }: SeriesLayout, tables: BarTables): void {
  const newest = db.query<[number | null]>('SELECT max(id) FROM loads').get()?.[0] ?? 0;
  for (const { place, origins } of tables.each()) {
    const wrong = origins?.find(origin => loadOf(origin) > newest);
    if (wrong !== undefined)
      throw rowMismatch(fine?.blocks ?? 'origins', place, `names the unknown load ${loadOf(wrong)}`);
  }
}

/** Bars that are kept apart are of a source that is recorded so. */
function checkSources(db: Connection): void {
  const [wrong] = db
    .query<[asset: number, source: string]>(
      `SELECT DISTINCT asset, source FROM source_blocks AS stored WHERE NOT EXISTS
         (SELECT 1 FROM sources WHERE sources.asset = stored.asset AND name = source AND separate = 1)`,
    )
    .all();
  if (wrong !== undefined) throw rowMismatch('source_blocks', wrong[0], `has bars of the unknown source ${wrong[1]}`);
}

/** Reads every row that the index names. */
function checkRows(db: Connection, meta: Meta, groups: number): void {
  currentRows(db).since(-1, rows => {
    const unknown = rows.find(({ assetNumber }) => !hasAsset(meta, assetNumber));
    if (unknown !== undefined) throw rowMismatch('current_rows', unknown.assetNumber, 'belongs to no asset');
  });
  const index = new CheckedTable<[number, Blob]>(db, 'publication_index').select('').get();
  const indexed = index === undefined ? 0 : numbersOf(index[1]).reduce((sum, version) => sum + Number(version > 0), 0);
  requireCount('current_rows', groups, indexed);
}

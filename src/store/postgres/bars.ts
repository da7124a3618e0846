// Daily bars in PostgreSQL.
//
// Blocks outside the first and last day that the store has of an asset are not read.

import type { AssetNumber } from '../../domain/asset.ts';
import { type Day, FIRST_DAY, LAST_DAY } from '../../domain/day.ts';
import { type AssetSpan, type SortedBars, sortBars } from '../bars/batch.ts';
import { type Blocks, blockOf, type Coverage, isGapless, NO_BARS } from '../bars/blocks.ts';
import { coverageWith, mergeSpan } from '../bars/merge.ts';
import { coverageUntil, readBars, readCloses, readDailyBars, readOwnCloses } from '../bars/read.ts';
import { unknownAsset } from '../port/errors.ts';
import { type Origins, ofPublished } from '../port/origins.ts';
import { barsBeforeReplaced, beforeReplaced, ReplacedBatch, type ReplacedCloses } from '../port/replaced-closes.ts';
import type { BarChanges, BarStore, DailyBarBatch, DailyCloses } from '../port/store.ts';
import { type BlockPlace, BlockRows } from './block-rows.ts';
import { CopyWriter } from './copy.ts';
import { arrayText, type Database, type Sql } from './database.ts';
import { RecentCloses } from './recent-closes.ts';

/** Otherwise, for a batch with a bar of every asset, the server reads the whole table twice, which takes three times as long. */
const LOOK_UP_EACH = 'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off';

/** What is written of the coverage of an asset whose bars changed. */
export interface ChangedCoverage extends Coverage {
  readonly assetNumber: AssetNumber;
}

export function barStore(db: Database): BarStore {
  return {
    putBars: (bars, load = 0) => {
      const sorted = sortBars(bars);
      return db.write(sql => put(sql, sorted, load));
    },

    bars: (asset, from, to) =>
      db.read(async sql => {
        const { blocks, covered } = await read(sql, asset, from, to);
        return readBars(blocks, asset, covered, from, to);
      }, asset),

    publishedCloses: (asset, from, to, wanted) =>
      db.read(async sql => {
        const version = await versionOf(sql);
        if (wanted !== undefined && version !== wanted) return { version, closes: null };
        const { blocks, covered } = await read(sql, asset, from, to);
        const closes = readOwnCloses(blocks, asset, covered, from, to);
        return { version, closes: beforeReplaced(closes, await replacedOf(sql, asset), from, to) };
      }, asset),

    publishedBars: (asset, from, to, wanted) =>
      db.read(async sql => {
        const version = await versionOf(sql);
        if (wanted !== undefined && version !== wanted) return { version, bars: null };
        const { blocks, covered } = await read(sql, asset, from, to);
        const bars = readBars(blocks, asset, covered, from, to);
        return { version, bars: barsBeforeReplaced(bars, await replacedOf(sql, asset), from, to) };
      }, asset),

    origins: asset => db.read(sql => originsOf(sql, asset), asset),

    publishedOrigins: (asset, from, to, wanted) =>
      db.read(async sql => {
        const version = await versionOf(sql);
        if (wanted !== undefined && version !== wanted) return { version, origins: null };
        return { version, origins: ofPublished(await originsOf(sql, asset, from, to), await replacedOf(sql, asset)) };
      }, asset),

    replacedCloses: () =>
      db.query(async sql => {
        const batch = new ReplacedBatch();
        const rows = await sql<{ asset: number; day: number; close: number | null }>`
          SELECT asset, day, close FROM tidemark.replaced_closes ORDER BY asset, day`;
        for (const { asset, day, close } of rows) batch.add(asset, day, close ?? Number.NaN);
        return batch;
      }),

    closes: (assets, days, until = LAST_DAY) => db.read(sql => closes(sql, assets, days, until), 'all assets'),

    dailyBars: (assets, days, until = LAST_DAY) => db.read(sql => dailyBars(sql, assets, days, until), 'all assets'),
  };
}

async function versionOf(sql: Sql): Promise<number> {
  const [meta] = await sql<{ version: number }>`SELECT version FROM tidemark.meta`;
  return meta!.version; // the migration that made the table put its one row
}

async function read(
  sql: Sql,
  asset: AssetNumber,
  from: Day,
  to: Day,
): Promise<{ blocks: BlockRows; covered: Coverage }> {
  const covered = (await coverageOf(sql, [asset])).get(asset) ?? NO_BARS;
  const blocks = new BlockRows();
  const [first, last] = [Math.max(from, covered.firstDay), Math.min(to, covered.lastDay)];
  await blocks.readAll(sql, asset, blockOf(first), blockOf(last));
  return { blocks, covered };
}

async function originsOf(sql: Sql, asset: AssetNumber, from: Day = FIRST_DAY, to: Day = LAST_DAY): Promise<Origins> {
  const { blocks } = await read(sql, asset, from, to);
  return blocks.originsOf(asset, from, to);
}

async function put(sql: Sql, bars: SortedBars, load: number): Promise<BarChanges> {
  await sql.script(LOOK_UP_EACH);
  const covered = await coverageOf(
    sql,
    bars.spans.map(span => span.assetNumber),
  );
  const blocks = new BlockRows();
  await blocks.read(sql, overlaps(bars, covered));
  const total = { inserted: 0, replaced: 0, unchanged: 0 };
  const changed: ChangedCoverage[] = [];
  const lost = new ReplacedBatch();
  for (const span of bars.spans) {
    const before = covered.get(span.assetNumber);
    if (!before) throw unknownAsset(span.assetNumber);
    const { inserted, replaced, unchanged } = mergeSpan(blocks, bars, span, before, lost, load);
    total.inserted += inserted;
    total.replaced += replaced;
    total.unchanged += unchanged;
    if (inserted + replaced > 0)
      changed.push({ assetNumber: span.assetNumber, ...coverageWith(before, bars, span, inserted) });
  }
  await blocks.write(sql);
  if (changed.length > 0) await putCoverage(sql, changed);
  if (lost.assetNumber.length > 0) await addReplaced(sql, lost);
  return total;
}

/** A day that is stored already stays as it is: its close was replaced twice. Into an empty table, as after each publication, COPY takes half the time. */
export async function addReplaced(sql: Sql, { assetNumber, day, close }: ReplacedBatch): Promise<void> {
  const some = await sql`SELECT asset FROM tidemark.replaced_closes LIMIT 1`;
  if (some.length === 0) {
    const rows = new CopyWriter();
    for (let i = 0; i < assetNumber.length; i++) {
      rows.row(3);
      rows.integer(assetNumber[i]!);
      rows.integer(day[i]!);
      rows.double(close[i]!);
    }
    return sql.copyInto('tidemark.replaced_closes (asset, day, close)', rows);
  }
  await sql`
    INSERT INTO tidemark.replaced_closes
    SELECT * FROM unnest(${arrayText(assetNumber)}::int[], ${arrayText(day)}::int[], ${arrayText(close)}::float8[])
    ON CONFLICT DO NOTHING`;
}

async function replacedOf(sql: Sql, asset: AssetNumber): Promise<ReplacedCloses> {
  const rows = await sql<{ day: number; close: number | null }>`
    SELECT day, close FROM tidemark.replaced_closes WHERE asset = ${asset}`;
  return new Map(rows.map(({ day, close }) => [day, close ?? Number.NaN]));
}

/** One asset is compared by `=`: a distributed database then queries only the node that has it. */
export async function coverageOf(sql: Sql, assets: readonly AssetNumber[]): Promise<Map<AssetNumber, Coverage>> {
  const wanted = assets.length === 1 ? `= ${assets[0]}` : `= ANY('${arrayText(assets)}'::int[])`;
  const found = new Map<AssetNumber, Coverage>();
  await sql.copyOut(`SELECT asset, first_day, last_day, bars FROM tidemark.coverage WHERE asset ${wanted}`, row =>
    found.set(row.integer(), { firstDay: row.integer(), lastDay: row.integer(), bars: row.integer() }),
  );
  return found;
}

/** The blocks of a batch that the store may have. */
function overlaps(bars: SortedBars, covered: ReadonlyMap<AssetNumber, Coverage>): BlockPlace[] {
  const places: BlockPlace[] = [];
  for (const span of bars.spans) {
    const stored = covered.get(span.assetNumber) ?? NO_BARS;
    if (stored.bars === 0) continue;
    for (const block of blocksOf(bars, span)) {
      if (block >= blockOf(stored.firstDay) && block <= blockOf(stored.lastDay))
        places.push({ assetNumber: span.assetNumber, block });
    }
  }
  return places;
}

function blocksOf({ day }: SortedBars, { start, end }: AssetSpan): Set<number> {
  const blocks = new Set<number>();
  for (let bar = start; bar < end; bar++) blocks.add(blockOf(day[bar]!));
  return blocks;
}

export async function putCoverage(sql: Sql, changed: readonly ChangedCoverage[]): Promise<void> {
  await sql`
    UPDATE tidemark.coverage
    SET first_day = new.first_day, last_day = new.last_day, bars = new.bars, pending = true
    FROM unnest(
      ${arrayText(changed.map(one => one.assetNumber))}::int[], ${arrayText(changed.map(one => one.firstDay))}::int[],
      ${arrayText(changed.map(one => one.lastDay))}::int[], ${arrayText(changed.map(one => one.bars))}::int[])
      AS new (asset, first_day, last_day, bars)
    WHERE coverage.asset = new.asset AND (coverage.bars <> new.bars OR NOT coverage.pending)`;
}

async function closes(sql: Sql, assets: readonly AssetNumber[], days: number, until: Day): Promise<DailyCloses> {
  const covered = await coverageOf(sql, assets);
  const coverage = assets.map(asset => covered.get(asset) ?? NO_BARS);
  const { searched, blocks } = await searchedBlocks(sql, assets, coverage, until);
  const then = coverage.map((one, i) => coverageUntil(blocks, assets[i]!, one, until));
  const others = [...assets.keys()].filter(i => !searched.has(assets[i]!));
  const recent = new RecentCloses(
    others.map(i => assets[i]!),
    others.map(i => then[i]!),
    days,
  );
  await recent.read(sql, until);
  const blocksFor = (asset: AssetNumber): Blocks => (searched.has(asset) ? blocks : recent);
  const all: Blocks = {
    find: (asset, field, block) => blocksFor(asset).find(asset, field, block),
    cellsOf: (asset, block) => blocksFor(asset).cellsOf(asset, block),
  };
  const found = readCloses(searched.size === 0 ? recent : all, assets, then, days);
  recent.free();
  return found;
}

async function dailyBars(sql: Sql, assets: readonly AssetNumber[], days: number, until: Day): Promise<DailyBarBatch> {
  const covered = await coverageOf(sql, assets);
  const coverage = assets.map(asset => covered.get(asset) ?? NO_BARS);
  const places: BlockPlace[] = [];
  for (const [i, one] of coverage.entries()) {
    const { firstDay, lastDay, bars } = one;
    if (bars === 0 || firstDay > until) continue;
    const last = Math.min(lastDay, until);
    // The close before the first of these days may be anywhere before it.
    const first = isGapless(one) ? Math.max(firstDay, last - days) : firstDay;
    for (let block = blockOf(first); block <= blockOf(last); block++) places.push({ assetNumber: assets[i]!, block });
  }
  const blocks = new BlockRows();
  await blocks.read(sql, places);
  const then = coverage.map((one, i) => coverageUntil(blocks, assets[i]!, one, until));
  return readDailyBars(blocks, assets, then, days);
}

/** All blocks up to a day of the assets with missing days and later bars: their newest close has to be searched for. */
async function searchedBlocks(
  sql: Sql,
  assets: readonly AssetNumber[],
  coverage: readonly Coverage[],
  until: Day,
): Promise<{ searched: ReadonlySet<AssetNumber>; blocks: Blocks }> {
  const searched = new Set<AssetNumber>();
  const places: BlockPlace[] = [];
  for (const [i, one] of coverage.entries()) {
    const { firstDay, lastDay } = one;
    if (lastDay <= until || firstDay > until || isGapless(one)) continue;
    searched.add(assets[i]!);
    for (let block = blockOf(firstDay); block <= blockOf(until); block++)
      places.push({ assetNumber: assets[i]!, block });
  }
  const blocks = new BlockRows();
  await blocks.read(sql, places);
  return { searched, blocks };
}

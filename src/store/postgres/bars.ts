// Bars in PostgreSQL: reading and writing those of each base interval.
//
// Blocks outside the first and last period that the store has of an asset are not read.

import type { AssetNumber } from '../../domain/asset.ts';
import { type BaseInterval, LAST_PERIOD, type Period } from '../../domain/interval.ts';
import { type AssetSpan, type SortedBars, sortBars } from '../bars/batch.ts';
import { BLOCK_DAYS, type Blocks, blockOf, type Coverage, isGapless, NO_BARS } from '../bars/blocks.ts';
import { COARSER, dropBoundary, FINER, Folding } from '../bars/fold.ts';
import { coverageWith, mergeSpan } from '../bars/merge.ts';
import { coverageUntil, oldestDay, readBars, readCloses, readDailyBars, readOwnCloses } from '../bars/read.ts';
import { coverageWithout, daysByAsset, removeDays } from '../bars/remove.ts';
import { unknownAsset } from '../port/errors.ts';
import { isMade, type Origins, ofPublished } from '../port/origins.ts';
import { barsBeforeReplaced, beforeReplaced, ReplacedBatch } from '../port/replaced-closes.ts';
import type {
  BarChanges,
  BarPlaces,
  DailyBarBatch,
  DailyCloses,
  LoadBars,
  PublishedSpans,
  Series,
} from '../port/store.ts';
import { markPending, requireAssets } from './assets.ts';
import { type BlockPlace, BlockRows } from './block-rows.ts';
import { arrayText, type Database, type Sql } from './database.ts';
import { RecentCloses } from './recent-closes.ts';
import { addReplaced, forgetReplacedBefore, replacedOf, replacedOfAll } from './replaced.ts';
import { SERIES, type SeriesLayout } from './series-layout.ts';

/** Otherwise, for a batch with a bar of every asset, the server reads the whole table twice, which takes three times as long. */
const LOOK_UP_EACH = 'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off';

/** Assets whose blocks are in memory at a time. */
const ASSETS_AT_ONCE = 500;

/** What is written of the coverage of an asset whose bars changed. */
interface ChangedCoverage extends Coverage {
  readonly assetNumber: AssetNumber;
}

export function seriesStore(db: Database): Readonly<Record<BaseInterval, Series>> {
  return { '1m': series(db, SERIES['1m']), '1h': series(db, SERIES['1h']), '1d': series(db, SERIES['1d']) };
}

function series(db: Database, layout: SeriesLayout): Series {
  /** What `find` reads of the published version, or null if it is not the wanted one. */
  function published<T>(
    asset: AssetNumber,
    [from, to, wanted]: readonly [from: Period, to: Period, version?: number | undefined],
    find: (sql: Sql, from: number, to: number) => Promise<T>,
  ): Promise<{ version: number; found: T | null }> {
    return db.read(async sql => {
      const version = await versionOf(sql);
      if (wanted !== undefined && version !== wanted) return { version, found: null };
      return { version, found: await find(sql, ...(await publishedOnly(sql, layout, asset, from, to))) };
    }, asset);
  }

  return {
    putBars: (bars, load = 0) => {
      const sorted = sortBars(bars);
      return db.write(async sql => {
        if (layout.interval !== '1d') {
          await requireAssets(
            sql,
            sorted.spans.map(span => span.assetNumber),
          );
        }
        return put(sql, layout, sorted, load);
      });
    },

    bars: (asset, from, to) =>
      db.read(async sql => {
        const { blocks, covered } = await read(sql, layout, asset, from, to);
        return readBars(blocks, asset, covered, from, to);
      }, asset),

    publishedCloses: async (asset, ...asked) => {
      const { version, found } = await published(asset, asked, async (sql, from, to) => {
        const { blocks, covered } = await read(sql, layout, asset, from, to);
        const closes = readOwnCloses(blocks, asset, covered, from, to);
        return beforeReplaced(closes, await replacedOf(sql, layout, asset), from, to);
      });
      return { version, closes: found };
    },

    publishedBars: async (asset, ...asked) => {
      const { version, found } = await published(asset, asked, async (sql, from, to) => {
        const { blocks, covered } = await read(sql, layout, asset, from, to);
        const bars = readBars(blocks, asset, covered, from, to);
        return barsBeforeReplaced(bars, await replacedOf(sql, layout, asset), from, to);
      });
      return { version, bars: found };
    },

    origins: asset => db.read(sql => originsOf(sql, layout, asset, 0, LAST_PERIOD), asset),

    publishedOrigins: async (asset, ...asked) => {
      const { version, found } = await published(asset, asked, async (sql, from, to) =>
        ofPublished(await originsOf(sql, layout, asset, from, to), await replacedOf(sql, layout, asset)),
      );
      return { version, origins: found };
    },

    replacedCloses: () => db.query(sql => replacedOfAll(sql, layout)),

    closes: (assets, days, until) =>
      db.read(sql => closes(sql, layout, assets, days, until ?? LAST_PERIOD), 'all assets'),

    dailyBars: (assets, days, until) =>
      db.read(sql => dailyBars(sql, layout, assets, days, until ?? LAST_PERIOD), 'all assets'),

    barsOfLoad: load => db.read(sql => barsOfLoad(sql, layout, load)),

    removeBars: places =>
      db.write(async sql => {
        await requireAssets(sql, [...new Set(places.assetNumber)]);
        return remove(sql, layout, places, false);
      }),

    publishedSpans: () => db.read(sql => publishedSpans(sql, layout), 'all assets'),

    dropBefore: period => db.write(sql => drop(sql, layout, dropBoundary(layout.interval, period))),
  };
}

async function versionOf(sql: Sql): Promise<number> {
  const [meta] = await sql<{ version: number }>`SELECT version FROM tidemark.meta`;
  return meta!.version; // the migration that made the table put its one row
}

/** Of days, the published row of an asset says which periods were published. */
async function publishedOnly(
  sql: Sql,
  { interval, coverage }: SeriesLayout,
  asset: AssetNumber,
  from: number,
  to: number,
): Promise<readonly [from: number, to: number]> {
  if (interval === '1d') return [from, to];
  const { rows } = await sql.run<{ first: number | null; last: number | null }>(
    `SELECT published_first AS first, published_last AS last FROM ${coverage} WHERE asset = $1`,
    [asset],
  );
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? [from, from - 1] : [Math.max(from, first), Math.min(to, last)];
}

async function read(
  sql: Sql,
  layout: SeriesLayout,
  asset: AssetNumber,
  from: number,
  to: number,
): Promise<{ blocks: BlockRows; covered: Coverage }> {
  const covered = (await coverageOf(sql, layout, [asset])).get(asset) ?? NO_BARS;
  const blocks = new BlockRows(layout);
  const [first, last] = [Math.max(from, covered.firstDay), Math.min(to, covered.lastDay)];
  if (covered.bars > 0 && first <= last) await blocks.readAll(sql, asset, blockOf(first), blockOf(last));
  return { blocks, covered };
}

async function originsOf(
  sql: Sql,
  layout: SeriesLayout,
  asset: AssetNumber,
  from: number,
  to: number,
): Promise<Origins> {
  const { blocks } = await read(sql, layout, asset, from, to);
  return blocks.originsOf(asset, from, to);
}

/** Assets of fine intervals are known to exist. */
async function put(sql: Sql, layout: SeriesLayout, bars: SortedBars, load: number): Promise<BarChanges> {
  await sql.script(LOOK_UP_EACH);
  const covered = await coverageOf(
    sql,
    layout,
    bars.spans.map(span => span.assetNumber),
  );
  // Of a backup, every series is stored as it was.
  const coarser = bars.origin === undefined ? COARSER[layout.interval] : null;
  const folding = coarser === null ? null : new Folding(coarser.ratio);
  const blocks = new BlockRows(layout);
  await blocks.read(sql, overlaps(bars, covered, coarser?.ratio ?? 1));
  const total = { inserted: 0, replaced: 0, unchanged: 0 };
  const changed: ChangedCoverage[] = [];
  const lost = new ReplacedBatch();
  for (const span of bars.spans) {
    const { assetNumber, start, end } = span;
    const before = covered.get(assetNumber) ?? (layout.interval === '1d' ? undefined : NO_BARS);
    if (!before) throw unknownAsset(assetNumber);
    folding?.begin(blocks, assetNumber, bars.day.subarray(start, end));
    const { inserted, replaced, unchanged } = mergeSpan(blocks, bars, span, before, lost, load);
    total.inserted += inserted;
    total.replaced += replaced;
    total.unchanged += unchanged;
    if (inserted + replaced === 0) continue;
    changed.push({ assetNumber, ...coverageWith(before, bars, span, inserted) });
    folding?.end(blocks, assetNumber);
  }
  await blocks.write(sql);
  if (changed.length > 0) await putCoverage(sql, layout, changed);
  await addReplaced(sql, layout, lost);
  if (coarser !== null && folding !== null) await put(sql, SERIES[coarser.interval], folding.bars(), load);
  return total;
}

/** Returns how many there were. With `madeOnly`, those that were loaded stay. */
async function remove(sql: Sql, layout: SeriesLayout, places: BarPlaces, madeOnly: boolean): Promise<number> {
  const periods = daysByAsset(places);
  const assets = [...periods.keys()].sort((a, b) => a - b);
  let total = 0;
  for (let from = 0; from < assets.length; from += ASSETS_AT_ONCE) {
    total += await removeSome(sql, layout, assets.slice(from, from + ASSETS_AT_ONCE), periods, madeOnly);
  }
  if (!madeOnly) await remake(sql, layout, places);
  return total;
}

async function removeSome(
  sql: Sql,
  layout: SeriesLayout,
  assets: readonly AssetNumber[],
  periods: ReadonlyMap<AssetNumber, readonly number[]>,
  madeOnly: boolean,
): Promise<number> {
  const covered = await coverageOf(sql, layout, assets);
  const blocks = new BlockRows(layout);
  for (const [asset, before] of covered) {
    // All of them: the new first and last period may be anywhere.
    if (before.bars > 0) await blocks.readAll(sql, asset, blockOf(before.firstDay), blockOf(before.lastDay));
  }
  const lost = new ReplacedBatch();
  const changed: ChangedCoverage[] = [];
  const coarser = COARSER[layout.interval];
  const folding = coarser === null ? null : new Folding(coarser.ratio);
  let total = 0;
  for (const asset of assets) {
    const own = periods.get(asset)!;
    const wanted = madeOnly ? own.filter(period => isMade(blocks.originOf(asset, period))) : own;
    folding?.begin(blocks, asset, wanted);
    const removed = removeDays(blocks, asset, wanted, lost);
    if (removed === 0) continue;
    folding?.end(blocks, asset);
    total += removed;
    changed.push({ assetNumber: asset, ...coverageWithout(blocks, asset, covered.get(asset)!, removed) });
  }
  if (changed.length === 0) return 0;
  await blocks.write(sql);
  // A block outside the first and last period is not read: it must not exist when bars of its periods are loaded again.
  await sql.run(
    `DELETE FROM ${layout.blocks} WHERE asset = ANY($1::int[])
       AND NOT EXISTS (SELECT 1 FROM unnest(close) AS one (close) WHERE one.close IS NOT NULL)`,
    [arrayText(changed.map(one => one.assetNumber))],
  );
  await putCoverage(sql, layout, changed);
  await addReplaced(sql, layout, lost);
  if (coarser !== null && folding !== null) {
    await put(sql, SERIES[coarser.interval], folding.bars(), 0);
    await remove(sql, SERIES[coarser.interval], folding.emptied(), true);
  }
  return total;
}

/** Makes the bars of these periods again, if there are finer ones. */
async function remake(sql: Sql, layout: SeriesLayout, places: BarPlaces): Promise<void> {
  const finer = FINER[layout.interval];
  if (finer === null) return;
  const { ratio } = COARSER[finer]!; // this one
  const periods = daysByAsset(places);
  const blocks = new BlockRows(SERIES[finer]);
  const wanted: BlockPlace[] = [];
  for (const [assetNumber, own] of periods) {
    for (const block of new Set(own.flatMap(period => blocksWithin(period * ratio, ratio))))
      wanted.push({ assetNumber, block });
  }
  await blocks.read(sql, wanted);
  const folding = new Folding(ratio);
  for (const asset of [...periods.keys()].sort((a, b) => a - b)) folding.remake(blocks, asset, periods.get(asset)!);
  await put(sql, layout, folding.bars(), 0);
}

/** The blocks of some consecutive periods. */
function blocksWithin(first: number, count: number): number[] {
  const [from, to] = [blockOf(first), blockOf(first + count - 1)];
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** One asset is compared by `=`: a distributed database then queries only the node that has it. */
async function coverageOf(
  sql: Sql,
  { coverage, first, last }: SeriesLayout,
  assets: readonly AssetNumber[],
): Promise<Map<AssetNumber, Coverage>> {
  const wanted = assets.length === 1 ? `= ${assets[0]}` : `= ANY('${arrayText(assets)}'::int[])`;
  const found = new Map<AssetNumber, Coverage>();
  await sql.copyOut(`SELECT asset, ${first}, ${last}, bars FROM ${coverage} WHERE asset ${wanted}`, row =>
    found.set(row.integer(), { firstDay: row.integer(), lastDay: row.integer(), bars: row.integer() }),
  );
  return found;
}

/** The blocks of a batch that the store may have, with the rest of each coarser period, which has `ratio` of these. */
function overlaps(bars: SortedBars, covered: ReadonlyMap<AssetNumber, Coverage>, ratio: number): BlockPlace[] {
  const places: BlockPlace[] = [];
  for (const span of bars.spans) {
    const stored = covered.get(span.assetNumber) ?? NO_BARS;
    if (stored.bars === 0) continue;
    for (const block of blocksOf(bars, span, ratio)) {
      if (block >= blockOf(stored.firstDay) && block <= blockOf(stored.lastDay))
        places.push({ assetNumber: span.assetNumber, block });
    }
  }
  return places;
}

function blocksOf({ day }: SortedBars, { start, end }: AssetSpan, ratio: number): Set<number> {
  const blocks = new Set<number>();
  for (let bar = start, coarser = -1; bar < end; bar++) {
    if (Math.floor(day[bar]! / ratio) === coarser) continue;
    coarser = Math.floor(day[bar]! / ratio);
    for (const block of blocksWithin(coarser * ratio, ratio)) blocks.add(block);
  }
  return blocks;
}

async function putCoverage(sql: Sql, layout: SeriesLayout, changed: readonly ChangedCoverage[]): Promise<void> {
  const { interval, coverage, first, last } = layout;
  const values = [
    arrayText(changed.map(one => one.assetNumber)),
    arrayText(changed.map(one => one.firstDay)),
    arrayText(changed.map(one => one.lastDay)),
    arrayText(changed.map(one => one.bars)),
  ];
  const rows = 'unnest($1::int[], $2::int[], $3::int[], $4::int[])';
  if (interval === '1d') {
    await sql.run(
      `UPDATE ${coverage} SET ${first} = new.first, ${last} = new.last, bars = new.bars, pending = true
       FROM ${rows} AS new (asset, first, last, bars)
       WHERE coverage.asset = new.asset AND (coverage.bars <> new.bars OR NOT coverage.pending)`,
      values,
    );
    return;
  }
  await sql.run(
    `INSERT INTO ${coverage} (asset, ${first}, ${last}, bars) SELECT * FROM ${rows}
     ON CONFLICT (asset) DO UPDATE SET ${first} = excluded.${first}, ${last} = excluded.${last}, bars = excluded.bars`,
    values,
  );
  await markPending(
    sql,
    changed.map(one => one.assetNumber),
  );
}

async function closes(
  sql: Sql,
  layout: SeriesLayout,
  assets: readonly AssetNumber[],
  days: number,
  until: number,
): Promise<DailyCloses> {
  const covered = await coverageOf(sql, layout, assets);
  const coverage = assets.map(asset => covered.get(asset) ?? NO_BARS);
  const { searched, blocks } = await searchedBlocks(sql, layout, assets, coverage, days, until);
  const then = coverage.map((one, i) => coverageUntil(blocks, assets[i]!, one, until));
  const others = [...assets.keys()].filter(i => !searched.has(assets[i]!));
  const recent = new RecentCloses(
    layout,
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

async function dailyBars(
  sql: Sql,
  layout: SeriesLayout,
  assets: readonly AssetNumber[],
  days: number,
  until: number,
): Promise<DailyBarBatch> {
  const covered = await coverageOf(sql, layout, assets);
  const coverage = assets.map(asset => covered.get(asset) ?? NO_BARS);
  const blocks = await recentBlocks(sql, layout, assets, coverage, days, until);
  const then = coverage.map((one, i) => coverageUntil(blocks, assets[i]!, one, until));
  return readDailyBars(blocks, assets, then, days);
}

/** The blocks of the assets with missing days and later bars: their newest close has to be searched for. */
async function searchedBlocks(
  sql: Sql,
  layout: SeriesLayout,
  assets: readonly AssetNumber[],
  coverage: readonly Coverage[],
  days: number,
  until: number,
): Promise<{ searched: ReadonlySet<AssetNumber>; blocks: Blocks }> {
  const places = [...assets.keys()].filter(i => isSearched(coverage[i]!, until));
  const searched = places.map(i => assets[i]!);
  const covered = places.map(i => coverage[i]!);
  const blocks = await recentBlocks(sql, layout, searched, covered, days, until);
  return { searched: new Set(searched), blocks };
}

function isSearched(coverage: Coverage, until: number): boolean {
  return coverage.lastDay > until && coverage.firstDay <= until && !isGapless(coverage);
}

/** The blocks of the newest bar up to a day and of `days` days before it; of an asset with missing days also the last close before these. */
async function recentBlocks(
  sql: Sql,
  layout: SeriesLayout,
  assets: readonly AssetNumber[],
  coverage: readonly Coverage[],
  days: number,
  until: number,
): Promise<BlockRows> {
  const blocks = new BlockRows(layout);
  const places: BlockPlace[] = [];
  const before: BlockPlace[] = [];
  // The newest bar may be some days older than the last day.
  const start = `(least(covered.${layout.last}, ${until}) - ${days}) / ${BLOCK_DAYS} - 1`;
  for (const [i, one] of coverage.entries()) {
    const { firstDay, lastDay, bars } = one;
    if (bars === 0 || firstDay > until) continue;
    const last = Math.min(lastDay, until);
    const first = Math.trunc((last - days) / BLOCK_DAYS) - 1; // as `start`
    for (let block = Math.max(first, blockOf(firstDay)); block <= blockOf(last); block++)
      places.push({ assetNumber: assets[i]!, block });
    if (!isGapless(one) && first > blockOf(firstDay)) before.push({ assetNumber: assets[i]!, block: first });
  }
  await blocks.read(sql, places);
  await blocks.readBefore(
    sql,
    before.map(({ assetNumber }) => assetNumber),
    start,
    layout,
  );
  // Where the newest bar is much older, all of them.
  for (const { assetNumber, block } of before) {
    const one = coverage[assets.indexOf(assetNumber)]!;
    const newest = coverageUntil(blocks, assetNumber, one, until).lastDay;
    if (newest - days < block * BLOCK_DAYS) await blocks.readAll(sql, assetNumber, blockOf(one.firstDay), block - 1);
  }
  return blocks;
}

async function barsOfLoad(sql: Sql, { blocks }: SeriesLayout, load: number): Promise<LoadBars> {
  const found = { assetNumber: [] as number[], day: [] as number[], replaced: [] as number[] };
  await sql.copyOut(
    `SELECT asset, block, close, loads FROM ${blocks}
     WHERE ${Math.trunc(load)} = ANY(loads) OR ${-Math.trunc(load)} = ANY(loads) ORDER BY asset, block`,
    row => {
      const [asset, block] = [row.integer(), row.integer()];
      const closes = row.array();
      for (const [i, origin] of row.integers()?.entries() ?? []) {
        if (Math.abs(origin) !== load || Number.isNaN(closes?.[i] ?? Number.NaN)) continue;
        found.assetNumber.push(asset);
        found.day.push(block * BLOCK_DAYS + i);
        found.replaced.push(Number(origin < 0));
      }
    },
  );
  return {
    assetNumber: Uint32Array.from(found.assetNumber),
    day: Int32Array.from(found.day),
    replaced: Uint8Array.from(found.replaced),
  };
}

async function publishedSpans(sql: Sql, { interval, coverage }: SeriesLayout): Promise<PublishedSpans> {
  const version = await versionOf(sql);
  const select =
    interval === '1d'
      ? 'SELECT asset, close_day - history_days + 1, close_day FROM tidemark.published'
      : `SELECT asset, published_first, published_last FROM ${coverage} WHERE published_first IS NOT NULL`;
  const found: [asset: number, first: number, last: number][] = [];
  await sql.copyOut(select, row => found.push([row.integer(), row.integer(), row.integer()]));
  found.sort(([a], [b]) => a - b);
  return {
    version,
    assetNumber: Uint32Array.from(found, ([asset]) => asset),
    first: Int32Array.from(found, ([, first]) => first),
    last: Int32Array.from(found, ([, , last]) => last),
  };
}

/** Bars of all assets before a period at which no block is cut. */
async function drop(sql: Sql, layout: SeriesLayout, before: number): Promise<number> {
  const { interval, blocks, coverage, first } = layout;
  if (interval === '1d') throw new Error('days are kept for ever');
  const { rows } = await sql.run<{ asset: number; bars: number }>(
    `SELECT asset, count(*)::int AS bars FROM ${blocks} CROSS JOIN LATERAL unnest(close) AS one (close)
     WHERE block < $1 AND one.close IS NOT NULL GROUP BY asset`,
    [blockOf(before)],
  );
  if (rows.length === 0) return 0;
  await sql.run(`DELETE FROM ${blocks} WHERE block < $1`, [blockOf(before)]);
  const assets = rows.map(({ asset }) => asset);
  const covered = await coverageOf(sql, layout, assets);
  const oldest = new BlockRows(layout);
  await oldest.readOldest(sql, assets, coverage);
  const changed = rows.map(({ asset, bars }): ChangedCoverage => {
    const { lastDay, bars: counted } = covered.get(asset)!; // it has bars
    const left = counted - bars;
    const rest = () => ({ firstDay: oldestDay(oldest, asset, oldest.firstDayOf(asset), lastDay), lastDay, bars: left });
    return { assetNumber: asset, ...(left === 0 ? NO_BARS : rest()) };
  });
  await sql.run(
    `UPDATE ${coverage} AS covered SET ${first} = new.first, bars = new.bars
     FROM unnest($1::int[], $2::int[], $3::int[]) AS new (asset, first, bars) WHERE covered.asset = new.asset`,
    [
      arrayText(changed.map(one => one.assetNumber)),
      arrayText(changed.map(one => one.firstDay)),
      arrayText(changed.map(one => one.bars)),
    ],
  );
  await forgetReplacedBefore(sql, layout, before);
  await sql.run(
    `INSERT INTO tidemark.dropped_bars VALUES ($1, $2) ON CONFLICT (interval) DO UPDATE SET before = excluded.before`,
    [interval, before],
  );
  return rows.reduce((sum, { bars }) => sum + bars, 0);
}

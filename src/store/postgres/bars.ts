// Bars in PostgreSQL: those of each base interval.
//
// Blocks outside the first and last period that the store has of an asset are not read.

import type { AssetNumber } from '../../domain/asset.ts';
import { type BaseInterval, LAST_PERIOD, type Period } from '../../domain/interval.ts';
import { sortBars } from '../bars/batch.ts';
import { BLOCK_DAYS, type Blocks, blockOf, type Coverage, isGapless, NO_BARS } from '../bars/blocks.ts';
import { dropBoundary } from '../bars/fold.ts';
import { coverageUntil, readBars, readBarsFrom, readCloses, readDailyBars, readOwnCloses } from '../bars/read.ts';
import { loadOf, type Origins, ofPublished } from '../port/origins.ts';
import { barsBeforeReplaced, beforeReplaced } from '../port/replaced-closes.ts';
import type {
  AlsoOfCloses,
  BarsOfAssets,
  DailyBarBatch,
  DailyCloses,
  LoadBars,
  PublishedSpans,
  Series,
} from '../port/store.ts';
import { drop, put, remove, replace } from './bar-writes.ts';
import { type BlockPlace, BlockRows } from './block-rows.ts';
import { coverageOf } from './coverage.ts';
import { arrayText, type Database, type Sql } from './database.ts';
import { requireAssets } from './known-assets.ts';
import { RecentCloses } from './recent-closes.ts';
import { replacedOf, replacedOfAll } from './replaced.ts';
import { SERIES, type SeriesLayout } from './series-layout.ts';

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

    barsFrom: (assets, from) => db.read(sql => barsFrom(sql, layout, assets, from), 'all assets'),

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

    closes: (assets, days, until, also) =>
      db.read(sql => closes(sql, layout, assets, days, until ?? LAST_PERIOD, also), 'all assets'),

    dailyBars: (assets, days, until, also = {}) =>
      db.read(sql => dailyBars(sql, layout, assets, days, until ?? LAST_PERIOD, also.closeDays), 'all assets'),

    barsOfLoad: load => db.read(sql => barsOfLoad(sql, layout, load)),

    removeBars: places =>
      db.write(async sql => {
        await requireAssets(sql, [...new Set(places.assetNumber)]);
        return remove(sql, layout, places, false);
      }),

    replaceBars: (assets, from, to, bars) => {
      const sorted = sortBars(bars);
      return db.write(async sql => {
        await requireAssets(sql, assets);
        await replace(sql, layout, assets, [from, to], sorted);
      });
    },

    deliveringLoads: assets => db.read(sql => deliveringLoads(sql, layout, assets), 'all assets'),

    publishedSpans: assets => db.query(sql => publishedSpans(sql, layout, assets), 'all assets'),

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

async function barsFrom(
  sql: Sql,
  layout: SeriesLayout,
  assets: readonly AssetNumber[],
  from: readonly number[],
): Promise<BarsOfAssets> {
  const covered = await coverageOf(sql, layout, assets);
  const coverage = assets.map(asset => covered.get(asset) ?? NO_BARS);
  const blocks = new BlockRows(layout);
  const places: BlockPlace[] = [];
  for (const [i, { firstDay, lastDay, bars }] of coverage.entries()) {
    if (bars === 0) continue;
    for (let block = blockOf(Math.max(firstDay, from[i]!)); block <= blockOf(lastDay); block++)
      places.push({ assetNumber: assets[i]!, block });
  }
  await blocks.read(sql, places);
  return readBarsFrom(blocks, assets, coverage, from, field => blocks.hasField(field));
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

async function closes(
  sql: Sql,
  layout: SeriesLayout,
  assets: readonly AssetNumber[],
  days: number,
  until: number,
  also: AlsoOfCloses = {},
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
  const found = readCloses(searched.size === 0 ? recent : all, assets, then, days, also.closeDays);
  recent.free();
  return { ...found, onlyCloses: searched.size === 0 && recent.hasOnlyCloses };
}

async function dailyBars(
  sql: Sql,
  layout: SeriesLayout,
  assets: readonly AssetNumber[],
  days: number,
  until: number,
  withDays: boolean | undefined,
): Promise<DailyBarBatch> {
  const covered = await coverageOf(sql, layout, assets);
  const coverage = assets.map(asset => covered.get(asset) ?? NO_BARS);
  const blocks = await recentBlocks(sql, layout, assets, coverage, days, until);
  const then = coverage.map((one, i) => coverageUntil(blocks, assets[i]!, one, until));
  return readDailyBars(blocks, assets, then, days, withDays);
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
  const before: (BlockPlace & { readonly one: Coverage })[] = [];
  // The newest bar may be some days older than the last day.
  const start = `(least(covered.${layout.last}, ${until}) - ${days}) / ${BLOCK_DAYS} - 1`;
  for (const [i, one] of coverage.entries()) {
    const { firstDay, lastDay, bars } = one;
    if (bars === 0 || firstDay > until) continue;
    const last = Math.min(lastDay, until);
    const first = Math.trunc((last - days) / BLOCK_DAYS) - 1; // as `start`
    for (let block = Math.max(first, blockOf(firstDay)); block <= blockOf(last); block++)
      places.push({ assetNumber: assets[i]!, block });
    if (!isGapless(one) && first > blockOf(firstDay)) before.push({ assetNumber: assets[i]!, block: first, one });
  }
  await blocks.read(sql, places);
  await blocks.readBefore(
    sql,
    before.map(({ assetNumber }) => assetNumber),
    start,
    layout,
  );
  // Where the newest bar is much older, all of them.
  for (const { assetNumber, block, one } of before) {
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

async function deliveringLoads(
  sql: Sql,
  { blocks }: SeriesLayout,
  assets: readonly AssetNumber[],
): Promise<Map<AssetNumber, Set<number>>> {
  const found = new Map<AssetNumber, Set<number>>();
  await sql.copyOut(
    `SELECT DISTINCT asset, coalesce(bar.origin, 0) FROM ${blocks} CROSS JOIN LATERAL unnest(close, loads) AS bar (close, origin)
     WHERE asset = ANY('${arrayText(assets)}'::int[]) AND bar.close IS NOT NULL`,
    row => {
      const [asset, origin] = [row.integer(), row.integer()];
      found.set(asset, (found.get(asset) ?? new Set()).add(loadOf(origin)));
    },
  );
  return found;
}

/** To look up more assets than these one by one takes longer than to read all. */
const FEW = 1024;

async function publishedSpans(
  sql: Sql,
  { interval, coverage }: SeriesLayout,
  assets: readonly AssetNumber[] | undefined,
): Promise<PublishedSpans> {
  const few = assets !== undefined && assets.length <= FEW ? assets : null;
  const wanted = few === null ? 'true' : `asset = ANY('${arrayText(few)}'::int[])`;
  const select =
    interval === '1d'
      ? `SELECT asset, close_day - history_days + 1, close_day FROM tidemark.published WHERE ${wanted}`
      : `SELECT asset, published_first, published_last FROM ${coverage} WHERE published_first IS NOT NULL AND ${wanted}`;
  const found: [asset: number, first: number, last: number][] = [];
  const among = few === null && assets !== undefined ? new Set(assets) : null;
  let version = 0;
  // The version with each: both are of one moment, without a transaction. Without a span, there is one row with the version alone.
  await sql.copyOut(
    `SELECT version::float8, spans.* FROM tidemark.meta LEFT JOIN (${select}) AS spans ON true`,
    row => {
      version = row.double();
      const span: (typeof found)[number] = [row.integer(), row.integer(), row.integer()];
      if (!Number.isNaN(span[0]) && (among === null || among.has(span[0]))) found.push(span);
    },
  );
  found.sort(([a], [b]) => a - b);
  return {
    version,
    assetNumber: Uint32Array.from(found, ([asset]) => asset),
    first: Int32Array.from(found, ([, first]) => first),
    last: Int32Array.from(found, ([, , last]) => last),
  };
}

// Writes and removes the bars of an interval in PostgreSQL, and makes those of the coarser ones.

import type { AssetNumber } from '../../domain/asset.ts';
import type { AssetSpan, SortedBars } from '../bars/batch.ts';
import { BLOCK_DAYS, blockOf, type Coverage, NO_BARS } from '../bars/blocks.ts';
import { COARSER, FINER, Folding } from '../bars/fold.ts';
import { coverageWith, mergeSpan } from '../bars/merge.ts';
import { coverageWithout, daysByAsset, removeDays } from '../bars/remove.ts';
import { coverageReplaced, replaceSpan, spanWith } from '../bars/replace.ts';
import { unknownAsset } from '../port/errors.ts';
import { isMade } from '../port/origins.ts';
import { ReplacedBatch } from '../port/replaced-closes.ts';
import type { BarChanges, BarPlaces } from '../port/store.ts';
import { type BlockPlace, BlockRows } from './block-rows.ts';
import { type ChangedCoverage, coverageOf, putCoverage } from './coverage.ts';
import { arrayText, type Sql } from './database.ts';
import { addReplaced, forgetReplacedBefore, replacedSpans } from './replaced.ts';
import { SERIES, type SeriesLayout } from './series-layout.ts';

/** Otherwise, for a batch with a bar of every asset, the server reads the whole table twice, which takes three times as long. */
const LOOK_UP_EACH = 'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off';

/** Assets whose blocks are in memory at a time. */
const ASSETS_AT_ONCE = 500;

/** Assets of fine intervals are known to exist. */
export async function put(sql: Sql, layout: SeriesLayout, bars: SortedBars, load: number): Promise<BarChanges> {
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

/** See `Series.replaceBars`. */
export async function replace(
  sql: Sql,
  layout: SeriesLayout,
  assets: readonly AssetNumber[],
  range: readonly [from: number, to: number],
  bars: SortedBars,
): Promise<void> {
  await sql.script(LOOK_UP_EACH);
  const ordered = [...new Set(assets)].sort((a, b) => a - b);
  const spans = new Map(bars.spans.map(span => [span.assetNumber, span]));
  const spanOf = (assetNumber: AssetNumber) => spans.get(assetNumber) ?? { assetNumber, start: 0, end: 0 };
  const covered = await coverageOf(sql, layout, ordered);
  const unpublished = await replacedSpans(sql, layout, ordered);
  const blocks = new BlockRows(layout);
  await blocks.read(
    sql,
    ordered.flatMap(asset => replacedBlocks(bars, spanOf(asset), range, covered.get(asset) ?? NO_BARS)),
  );
  const lost = new ReplacedBatch();
  const changed: ChangedCoverage[] = [];
  let removed = 0;
  for (const assetNumber of ordered) {
    const [span, before] = [spanOf(assetNumber), covered.get(assetNumber) ?? NO_BARS];
    const known = spanWith(before, unpublished.get(assetNumber) ?? []);
    const replacement = replaceSpan(blocks, bars, span, range, before, known, lost);
    if (!replacement.changed) continue;
    changed.push({ assetNumber, ...coverageReplaced(blocks, bars, span, range, before, replacement) });
    removed += replacement.removed;
  }
  if (changed.length === 0) return;
  await blocks.write(sql);
  if (removed > 0) await removeEmptyBlocks(sql, layout, changed);
  await putCoverage(sql, layout, changed);
  await addReplaced(sql, layout, lost);
}

/** Those of the range, and all others if the first or the last bar may be taken out: the new one may be anywhere. */
function replacedBlocks(
  { day }: SortedBars,
  { assetNumber, start, end }: AssetSpan,
  [from, to]: readonly [from: number, to: number],
  { firstDay, lastDay, bars }: Coverage,
): BlockPlace[] {
  if (bars === 0) return [];
  const goes = (one: number, kept: number | undefined) => one >= from && one <= to && one !== kept;
  const [first, last] = [end > start ? day[start] : undefined, end > start ? day[end - 1] : undefined];
  const isEndGone = goes(firstDay, first) || goes(lastDay, last);
  const [oldest, newest] = isEndGone ? [firstDay, lastDay] : [from, to];
  const places: BlockPlace[] = [];
  for (
    let block = Math.max(blockOf(oldest), blockOf(firstDay));
    block <= Math.min(blockOf(newest), blockOf(lastDay));
    block++
  )
    places.push({ assetNumber, block });
  return places;
}

/** A block outside the first and last period is not read: it must not exist when bars of its periods are loaded again. */
async function removeEmptyBlocks(sql: Sql, { blocks }: SeriesLayout, of: readonly ChangedCoverage[]): Promise<void> {
  await sql.run(
    `DELETE FROM ${blocks} WHERE asset = ANY($1::int[])
       AND NOT EXISTS (SELECT 1 FROM unnest(close) AS one (close) WHERE one.close IS NOT NULL)`,
    [arrayText(of.map(one => one.assetNumber))],
  );
}

/** Returns how many there were. With `madeOnly`, those that were loaded stay. */
export async function remove(sql: Sql, layout: SeriesLayout, places: BarPlaces, madeOnly: boolean): Promise<number> {
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
  await removeEmptyBlocks(sql, layout, changed);
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

/** Bars of all assets before a period at which no block is cut. */
export async function drop(sql: Sql, layout: SeriesLayout, before: number): Promise<number> {
  const { interval, blocks, coverage, first } = layout;
  if (interval === '1d') throw new Error('days are kept for ever');
  const { rows } = await sql.run<{ asset: number; bars: number }>(
    `SELECT asset, count(*)::int AS bars FROM ${blocks} CROSS JOIN LATERAL unnest(close) AS one (close)
     WHERE block < $1 AND one.close IS NOT NULL GROUP BY asset`,
    [blockOf(before)],
  );
  if (rows.length === 0) return 0;
  await sql.run(`DELETE FROM ${blocks} WHERE block < $1`, [blockOf(before)]);
  const oldest = await oldestPeriods(sql, layout, arrayText(rows.map(({ asset }) => asset)));
  await sql.run(
    `UPDATE ${coverage} AS covered SET ${first} = coalesce(new.first, 0), bars = covered.bars - new.dropped
     FROM unnest($1::int[], $2::int[], $3::int[]) AS new (asset, first, dropped) WHERE covered.asset = new.asset`,
    [
      arrayText(rows.map(({ asset }) => asset)),
      arrayText(rows.map(({ asset }) => oldest.get(asset) ?? Number.NaN)),
      arrayText(rows.map(({ bars }) => bars)),
    ],
  );
  await forgetReplacedBefore(sql, layout, before);
  await sql.run(
    `INSERT INTO tidemark.dropped_bars VALUES ($1, $2) ON CONFLICT (interval) DO UPDATE SET before = excluded.before`,
    [interval, before],
  );
  return rows.reduce((sum, { bars }) => sum + bars, 0);
}

/** Of the bars that are left of these assets; without those that have none. */
async function oldestPeriods(
  sql: Sql,
  { blocks, coverage }: SeriesLayout,
  assets: string,
): Promise<Map<AssetNumber, number>> {
  const found = new Map<AssetNumber, number>();
  await sql.copyOut(
    `SELECT oldest.asset, oldest.block, oldest.close FROM ${coverage} AS covered CROSS JOIN LATERAL (
       SELECT * FROM ${blocks} AS stored WHERE stored.asset = covered.asset ORDER BY block LIMIT 1
     ) AS oldest WHERE covered.asset = ANY('${assets}'::int[])`,
    row => {
      const [asset, block] = [row.integer(), row.integer()];
      const place = row.array()!.findIndex(close => !Number.isNaN(close)); // a block has a close
      found.set(asset, block * BLOCK_DAYS + place);
    },
  );
  return found;
}

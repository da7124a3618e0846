// Removes bars from PostgreSQL.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, blockOf } from '../bars/blocks.ts';
import { coverageWithout, daysByAsset, removeDays } from '../bars/remove.ts';
import type { CorrectionStore } from '../port/corrections.ts';
import { unknownAsset } from '../port/errors.ts';
import { ReplacedBatch } from '../port/replaced-closes.ts';
import { addReplaced, type ChangedCoverage, coverageOf, putCoverage } from './bars.ts';
import { BlockRows } from './block-rows.ts';
import { arrayText, type Database, type Sql } from './database.ts';

/** Assets whose blocks are in memory at a time. */
const ASSETS_AT_ONCE = 500;

export function correctionStore(db: Database): Omit<CorrectionStore, 'removeProfile'> {
  return {
    barsOfLoad: load =>
      db.read(async sql => {
        const found = { assetNumber: [] as number[], day: [] as number[], replaced: [] as number[] };
        await sql.copyOut(
          `SELECT asset, block, close, loads FROM tidemark.bar_blocks
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
      }),

    removeBars: places => {
      const days = daysByAsset(places);
      return db.write(async sql => {
        const assets = [...days.keys()];
        let total = 0;
        for (let from = 0; from < assets.length; from += ASSETS_AT_ONCE) {
          total += await remove(sql, assets.slice(from, from + ASSETS_AT_ONCE), days);
        }
        return total;
      });
    },
  };
}

async function remove(
  sql: Sql,
  assets: readonly AssetNumber[],
  days: ReadonlyMap<AssetNumber, readonly number[]>,
): Promise<number> {
  const covered = await coverageOf(sql, assets);
  const blocks = new BlockRows();
  for (const asset of assets) {
    const before = covered.get(asset);
    if (before === undefined) throw unknownAsset(asset);
    // All of them: the new first and last day may be anywhere.
    if (before.bars > 0) await blocks.readAll(sql, asset, blockOf(before.firstDay), blockOf(before.lastDay));
  }
  const lost = new ReplacedBatch();
  const changed: ChangedCoverage[] = [];
  let total = 0;
  for (const asset of assets) {
    const removed = removeDays(blocks, asset, days.get(asset)!, lost);
    if (removed === 0) continue;
    total += removed;
    changed.push({ assetNumber: asset, ...coverageWithout(blocks, asset, covered.get(asset)!, removed) });
  }
  if (changed.length === 0) return 0;
  await blocks.write(sql);
  // A block outside the first and last day is not read: it must not exist when bars of its days are loaded again.
  await sql`
    DELETE FROM tidemark.bar_blocks
    WHERE asset = ANY(${arrayText(changed.map(one => one.assetNumber))}::int[])
      AND NOT EXISTS (SELECT 1 FROM unnest(close) AS one (close) WHERE one.close IS NOT NULL)`;
  await putCoverage(sql, changed);
  await addReplaced(sql, lost);
  return total;
}

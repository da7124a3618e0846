// Removes bars from SQLite.

import type { AssetNumber } from '../../domain/asset.ts';
import { BLOCK_DAYS, CLOSE } from '../bars/blocks.ts';
import { coverageWithout, daysByAsset, removeDays } from '../bars/remove.ts';
import type { CorrectionStore } from '../port/corrections.ts';
import { ReplacedBatch } from '../port/replaced-closes.ts';
import { GROUP_SIZE } from './asset-groups.ts';
import { requireAsset } from './assets.ts';
import { cellsOfBlob, type OriginRow, OriginTable, originPlace } from './bar-origins.ts';
import { ReadTiles, Tiles, tileTable } from './bar-tiles.ts';
import { CheckedTable } from './checked-table.ts';
import type { Connection } from './connection.ts';
import { CoverageTable } from './coverage.ts';
import { MetaTable } from './meta.ts';
import { PendingTable } from './pending.ts';
import { replacedStore } from './replaced.ts';

export function correctionStore(db: Connection): Omit<CorrectionStore, 'removeProfile'> {
  const table = tileTable(db);
  const meta = new MetaTable(db);
  const coverage = new CoverageTable(db);
  const pending = new PendingTable(db);
  const replaced = replacedStore(db);
  const origins = new OriginTable(db);
  const originRows = new CheckedTable<OriginRow>(db, 'origins').select('');

  return {
    barsOfLoad: async load =>
      db.read(() => {
        const found = { assetNumber: [] as number[], day: [] as number[], replaced: [] as number[] };
        for (const [place, blob] of originRows.each()) {
          const cells = cellsOfBlob(blob);
          if (!cells.some(origin => Math.abs(origin) === load)) continue;
          const { group, block } = originPlace(place);
          const first = group * GROUP_SIZE;
          // Of an asset or day without a bar, the origin means nothing.
          const tiles = new ReadTiles(table);
          const closes = tiles.find(Math.max(first, 1), CLOSE, block);
          for (const [cell, origin] of cells.entries()) {
            if (Math.abs(origin) !== load || closes === null || Number.isNaN(closes[cell])) continue;
            found.assetNumber.push(first + Math.floor(cell / BLOCK_DAYS));
            found.day.push(block * BLOCK_DAYS + (cell % BLOCK_DAYS));
            found.replaced.push(Number(origin < 0));
          }
        }
        return {
          assetNumber: Uint32Array.from(found.assetNumber),
          day: Int32Array.from(found.day),
          replaced: Uint8Array.from(found.replaced),
        };
      }),

    removeBars: async places => {
      const days = daysByAsset(places);
      return db.write(() => {
        const state = meta.read();
        // By asset group: tiles of one group at a time are in memory.
        const assets = [...days.keys()].sort((a, b) => a - b);
        for (const asset of assets) requireAsset(state, asset);
        const covered = coverage.of(assets);
        const tiles = new Tiles(table, origins);
        const lost = new ReplacedBatch();
        const changed: AssetNumber[] = [];
        let total = 0;
        for (const asset of assets) {
          const removed = removeDays(tiles, asset, days.get(asset)!, lost);
          if (removed === 0) continue;
          total += removed;
          changed.push(asset);
          covered.set(asset, coverageWithout(tiles, asset, covered.of(asset), removed));
        }
        tiles.finish();
        coverage.put(covered);
        pending.add(changed);
        replaced.add(lost);
        return total;
      });
    },
  };
}

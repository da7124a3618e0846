// Daily bars in SQLite.

import type { AssetNumber } from '../../domain/asset.ts';
import { type SortedBars, sortBars } from '../bar-batch.ts';
import {
  blockOf,
  CLOSE,
  type Coverage,
  coverageWith,
  mergeSpan,
  NO_BARS,
  readBars,
  readCloses,
  readOwnCloses,
} from '../bar-blocks.ts';
import { unknownAsset } from '../faults.ts';
import { beforeReplaced, ReplacedBatch } from '../replaced-closes.ts';
import type { BarChanges, BarStore } from '../store.ts';
import { ReadTiles, Tiles, tileTable } from './bar-tiles.ts';
import type { Connection } from './connection.ts';
import { runsOf } from './key-runs.ts';
import { manyRows } from './many-rows.ts';
import { replacedStore } from './replaced.ts';

type CoverageRow = [asset: number, firstDay: number, lastDay: number, bars: number];

export function barStore(db: Connection): BarStore {
  const table = tileTable(db);
  const coverageBetween = db.query<CoverageRow>(
    'SELECT asset, first_day, last_day, bars FROM coverage WHERE asset BETWEEN ? AND ?',
  );
  const putCoverage = manyRows(db, 'REPLACE INTO coverage VALUES', 4);
  const mark = manyRows(db, 'INSERT OR IGNORE INTO pending VALUES', 1);
  const published = db.query<[version: number]>('SELECT version FROM meta');
  const replaced = replacedStore(db);

  /** Undefined for an asset that is not there. */
  function coverageOf(keys: readonly AssetNumber[]): (Coverage | undefined)[] {
    const found = new Map<AssetNumber, Coverage>();
    for (const [from, to] of runsOf(keys)) {
      for (const [asset, firstDay, lastDay, bars] of coverageBetween.all(from, to)) {
        found.set(asset, { firstDay, lastDay, bars });
      }
    }
    return keys.map(key => found.get(key));
  }

  function put(bars: SortedBars): BarChanges {
    const tiles = new Tiles(table);
    const total = { inserted: 0, replaced: 0, unchanged: 0 };
    const changed: [AssetNumber][] = [];
    const extended: CoverageRow[] = [];
    const lost = new ReplacedBatch();
    const covered = coverageOf(bars.spans.map(span => span.key));
    for (const [i, span] of bars.spans.entries()) {
      const before = covered[i];
      if (!before) throw unknownAsset(span.key);
      const { inserted, replaced: others, unchanged } = mergeSpan(tiles, bars, span, before, lost);
      total.inserted += inserted;
      total.replaced += others;
      total.unchanged += unchanged;
      if (inserted + others === 0) continue;
      changed.push([span.key]);
      if (inserted === 0) continue;
      const { firstDay, lastDay, bars: count } = coverageWith(before, bars, span, inserted);
      extended.push([span.key, firstDay, lastDay, count]);
    }
    tiles.finish();
    putCoverage(extended);
    mark(changed);
    replaced.add(lost);
    return total;
  }

  return {
    putBars: async bars => {
      const sorted = sortBars(bars);
      return db.write(() => put(sorted));
    },

    bars: async (key, from, to) =>
      db.read(() => readBars(new ReadTiles(table), key, coverageOf([key])[0] ?? NO_BARS, from, to)),

    publishedCloses: async (key, from, to, wanted) =>
      db.read(() => {
        const [version] = published.get()!;
        if (wanted !== undefined && version !== wanted) return { version, closes: null };
        const closes = readOwnCloses(new ReadTiles(table), key, coverageOf([key])[0] ?? NO_BARS, from, to);
        return { version, closes: beforeReplaced(closes, replaced.of(key)) };
      }),

    replacedCloses: async () => db.read(() => replaced.all()),

    closes: async (keys, days) =>
      db.read(() => {
        const covered = coverageOf(keys).map(one => one ?? NO_BARS);
        const tiles = new ReadTiles(table);
        const newest = covered.reduce((day, one) => Math.max(day, one.lastDay), 0);
        tiles.readAhead(keys, CLOSE, blockOf(newest - days), blockOf(newest));
        return readCloses(tiles, keys, covered, days);
      }),
  };
}

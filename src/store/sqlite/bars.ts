// Daily bars in SQLite.

import type { AssetNumber } from '../../domain/asset.ts';
import { type Day, FIRST_DAY, LAST_DAY } from '../../domain/day.ts';
import { type SortedBars, sortBars } from '../bars/batch.ts';
import { blockOf, CLOSE, type Coverage, FIELDS, NO_BARS } from '../bars/blocks.ts';
import { coverageWith, mergeSpan } from '../bars/merge.ts';
import { coverageUntil, readBars, readCloses, readDailyBars, readOwnCloses } from '../bars/read.ts';
import { type Origin, ofPublished } from '../port/origins.ts';
import { barsBeforeReplaced, beforeReplaced, ReplacedBatch } from '../port/replaced-closes.ts';
import type { BarChanges, BarStore } from '../port/store.ts';
import { groupOf } from './asset-groups.ts';
import { hasAsset, requireAsset } from './assets.ts';
import { OriginTable } from './bar-origins.ts';
import { ReadTiles, Tiles, tileTable } from './bar-tiles.ts';
import type { Connection } from './connection.ts';
import { CoverageTable } from './coverage.ts';
import { MetaTable } from './meta.ts';
import { PendingTable } from './pending.ts';
import { replacedStore } from './replaced.ts';

/** `isLasting`: everything is read in one transaction, so that tiles may be kept. */
export function barStore(db: Connection, isLasting: boolean): BarStore {
  const table = tileTable(db);
  const meta = new MetaTable(db);
  const coverage = new CoverageTable(db);
  const pending = new PendingTable(db);
  const replaced = replacedStore(db);
  const origins = new OriginTable(db);

  function coverageOf(assets: readonly AssetNumber[]): Coverage[] {
    const state = meta.read();
    const known = coverage.of(assets.filter(asset => hasAsset(state, asset)));
    return assets.map(asset => (hasAsset(state, asset) ? known.of(asset) : NO_BARS));
  }

  let last = { group: -1, tiles: new ReadTiles(table) };
  /** A tile has 32 assets: reading all assets in the order of their numbers reads each tile once. */
  function tilesOf(asset: AssetNumber): ReadTiles {
    if (!isLasting) return new ReadTiles(table);
    const group = groupOf(asset);
    if (group !== last.group) last = { group, tiles: new ReadTiles(table) };
    return last.tiles;
  }

  function originsOf(asset: AssetNumber, from: Day = FIRST_DAY, to: Day = LAST_DAY): Map<number, Origin> {
    const covered = coverageOf([asset])[0]!;
    const { day } = readOwnCloses(tilesOf(asset), asset, covered, from, to);
    return origins.of(asset, day);
  }

  /** The tiles with the newest days of these assets, and what the assets have until a day. */
  function tilesAhead(assets: readonly AssetNumber[], days: number, until: Day, fields: readonly number[]) {
    const covered = coverageOf(assets);
    let [first, newest]: [number, number] = [until, 0];
    for (const { firstDay, lastDay, bars } of covered) {
      if (bars === 0) continue;
      first = Math.min(first, firstDay);
      newest = Math.max(newest, Math.min(lastDay, until));
    }
    const tiles = new ReadTiles(table);
    for (const field of fields) {
      tiles.readAhead(assets, field, blockOf(Math.max(first, newest - days)), blockOf(newest));
    }
    return { tiles, covered: covered.map((one, i) => coverageUntil(tiles, assets[i]!, one, until)) };
  }

  function put(bars: SortedBars, load: number): BarChanges {
    const tiles = new Tiles(table, origins);
    const total = { inserted: 0, replaced: 0, unchanged: 0 };
    const changed: AssetNumber[] = [];
    const lost = new ReplacedBatch();
    const state = meta.read();
    for (const { assetNumber } of bars.spans) requireAsset(state, assetNumber);
    const covered = coverage.of(bars.spans.map(span => span.assetNumber));
    for (const span of bars.spans) {
      const before = covered.of(span.assetNumber);
      const { inserted, replaced: others, unchanged } = mergeSpan(tiles, bars, span, before, lost, load);
      total.inserted += inserted;
      total.replaced += others;
      total.unchanged += unchanged;
      if (inserted + others > 0) changed.push(span.assetNumber);
      if (inserted > 0) covered.set(span.assetNumber, coverageWith(before, bars, span, inserted));
    }
    tiles.finish();
    coverage.put(covered);
    pending.add(changed);
    replaced.add(lost);
    return total;
  }

  return {
    putBars: async (bars, load = 0) => {
      const sorted = sortBars(bars);
      return db.write(() => put(sorted, load));
    },

    bars: async (asset, from, to) => db.read(() => readBars(tilesOf(asset), asset, coverageOf([asset])[0]!, from, to)),

    publishedCloses: async (asset, from, to, wanted) =>
      db.read(() => {
        const { version } = meta.read();
        if (wanted !== undefined && version !== wanted) return { version, closes: null };
        const closes = readOwnCloses(tilesOf(asset), asset, coverageOf([asset])[0]!, from, to);
        return { version, closes: beforeReplaced(closes, replaced.of(asset), from, to) };
      }),

    publishedBars: async (asset, from, to, wanted) =>
      db.read(() => {
        const { version } = meta.read();
        if (wanted !== undefined && version !== wanted) return { version, bars: null };
        const bars = readBars(tilesOf(asset), asset, coverageOf([asset])[0]!, from, to);
        return { version, bars: barsBeforeReplaced(bars, replaced.of(asset), from, to) };
      }),

    origins: async asset => db.read(() => originsOf(asset)),

    publishedOrigins: async (asset, from, to, wanted) =>
      db.read(() => {
        const { version } = meta.read();
        if (wanted !== undefined && version !== wanted) return { version, origins: null };
        return { version, origins: ofPublished(originsOf(asset, from, to), replaced.of(asset)) };
      }),

    replacedCloses: async () => db.read(() => replaced.all()),

    closes: async (assets, days, until = LAST_DAY) =>
      db.read(() => {
        const { tiles, covered } = tilesAhead(assets, days, until, [CLOSE]);
        return readCloses(tiles, assets, covered, days);
      }),

    dailyBars: async (assets, days, until = LAST_DAY) =>
      db.read(() => {
        const { tiles, covered } = tilesAhead(assets, days, until, [...FIELDS.keys()]);
        return readDailyBars(tiles, assets, covered, days);
      }),
  };
}

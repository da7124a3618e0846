// Bars in SQLite: reading and writing those of each base interval.

import type { AssetNumber } from '../../domain/asset.ts';
import { BASE_INTERVALS, type BaseInterval, LAST_PERIOD, type Period } from '../../domain/interval.ts';
import { type SortedBars, sortBars } from '../bars/batch.ts';
import { blockOf, CLOSE, type Coverage, FIELDS, NO_BARS } from '../bars/blocks.ts';
import { COARSER, dropBoundary, FINER, Folding } from '../bars/fold.ts';
import { coverageWith, mergeSpan } from '../bars/merge.ts';
import {
  coverageUntil,
  oldestDay,
  readBars,
  readBarsFrom,
  readCloses,
  readDailyBars,
  readOwnCloses,
} from '../bars/read.ts';
import { coverageWithout, daysByAsset, removeDays } from '../bars/remove.ts';
import { coverageReplaced, replaceSpan, spanWith } from '../bars/replace.ts';
import { isMade, loadOf, type Origin, ofPublished } from '../port/origins.ts';
import { barsBeforeReplaced, beforeReplaced, ReplacedBatch } from '../port/replaced-closes.ts';
import type { BarChanges, BarPlaces, PublishedSpans, Series } from '../port/store.ts';
import { appendsOf, BlockTable } from './bar-blocks.ts';
import type { BarReader, BarTables } from './bar-tables.ts';
import { tileTables } from './bar-tiles.ts';
import type { Connection } from './connection.ts';
import { CoverageTable } from './coverage.ts';
import { DroppedTable } from './dropped.ts';
import { barsOfLoad } from './load-bars.ts';
import { hasAsset, MetaTable, requireAsset } from './meta.ts';
import { PendingTable } from './pending.ts';
import { currentRows } from './publications.ts';
import { replacedStore } from './replaced.ts';
import { SERIES, type SeriesLayout } from './series-layout.ts';

/** `isLasting`: everything is read in one transaction, so that tiles may be kept. */
export function seriesStore(db: Connection, isLasting: boolean): Readonly<Record<BaseInterval, Series>> {
  const all: Partial<Record<BaseInterval, WritableSeries>> = {};
  const make = (interval: BaseInterval) => {
    const [coarser, finer] = [COARSER[interval]?.interval, FINER[interval]];
    return series(db, SERIES[interval], isLasting, {
      coarser: () => (coarser === undefined ? null : all[coarser]!), // called once all are made
      finer: () => (finer === null ? null : all[finer]!),
    });
  };
  for (const interval of BASE_INTERVALS) all[interval] = make(interval);
  return all as Record<BaseInterval, WritableSeries>; // every interval has been made
}

interface Neighbours {
  /** The series that is made of this one. */
  readonly coarser: () => WritableSeries | null;
  /** The series that this one is made of. */
  readonly finer: () => WritableSeries | null;
}

/** Writes within a transaction; the caller has checked that the assets exist. */
interface WritableSeries extends Series {
  put(bars: SortedBars, load: number): BarChanges;
  /** Returns how many there were. With `madeOnly`, those that were loaded stay. */
  remove(places: BarPlaces, madeOnly: boolean): number;
  /** Makes the coarser bars of these coarser periods again. */
  remake(places: BarPlaces): void;
}

function series(
  db: Connection,
  layout: SeriesLayout,
  isLasting: boolean,
  { coarser, finer }: Neighbours,
): WritableSeries {
  const { interval } = layout;
  const blocks = layout.fine === null ? null : new BlockTable(db, layout.fine);
  const table: BarTables = blocks ?? tileTables(db);
  const meta = new MetaTable(db);
  const coverage = new CoverageTable(db, layout);
  const pending = new PendingTable(db);
  const replaced = replacedStore(db, layout);
  const dropped = new DroppedTable(db);
  const rows = currentRows(db);

  function coverageOf(assets: readonly AssetNumber[]): Coverage[] {
    const state = meta.read();
    const known = coverage.of(assets.filter(asset => hasAsset(state, asset)));
    return assets.map(asset => (hasAsset(state, asset) ? known.of(asset) : NO_BARS));
  }

  let last = { group: -1, reader: table.reader() };
  /** A row may have several assets: reading all assets in the order of their numbers reads each row once. */
  function readerOf(asset: AssetNumber): BarReader {
    if (!isLasting) return table.reader();
    const group = table.groupOf(asset);
    if (group !== last.group) last = { group, reader: table.reader() };
    return last.reader;
  }

  function originsOf(asset: AssetNumber, from: number, to: number): Map<number, Origin> {
    const covered = coverageOf([asset])[0]!;
    const { day } = readOwnCloses(readerOf(asset), asset, covered, from, to);
    return table.originsOf(asset, day);
  }

  /** The blocks with the newest days of these assets, what the assets have until a day, and the oldest day that any is read from. */
  function readAhead(assets: readonly AssetNumber[], days: number, until: number, fields: readonly number[]) {
    const covered = coverageOf(assets);
    let [oldest, newest, first]: [number, number, number] = [until, 0, until];
    for (const { firstDay, lastDay, bars } of covered) {
      if (bars === 0) continue;
      const last = Math.min(lastDay, until);
      oldest = Math.min(oldest, firstDay);
      newest = Math.max(newest, last);
      first = Math.min(first, Math.max(firstDay, last - days));
    }
    const reader = table.reader();
    reader.readAhead(assets, fields, blockOf(Math.max(oldest, newest - days)), blockOf(newest));
    return { reader, first, covered: covered.map((one, i) => coverageUntil(reader, assets[i]!, one, until)) };
  }

  /** Of days, the published row of an asset says which periods were published. */
  function publishedOnly(asset: AssetNumber, from: number, to: number): readonly [from: number, to: number] {
    if (interval === '1d' || !hasAsset(meta.read(), asset)) return [from, to];
    const [first, end] = coverage.of([asset]).published(asset);
    return [Math.max(from, first), Math.min(to, end - 1)];
  }

  /** What `read` finds of the published version, or null if it is not the wanted one. */
  function published<T>(
    asset: AssetNumber,
    [from, to, wanted]: readonly [from: Period, to: Period, version?: number | undefined],
    read: (from: number, to: number) => T,
  ): { version: number; found: T | null } {
    return db.read(() => {
      const { version } = meta.read();
      if (wanted !== undefined && version !== wanted) return { version, found: null };
      return { version, found: read(...publishedOnly(asset, from, to)) };
    });
  }

  function put(bars: SortedBars, load: number): BarChanges {
    const total = { inserted: 0, replaced: 0, unchanged: 0 };
    const changed: AssetNumber[] = [];
    const lost = new ReplacedBatch();
    // Of a backup, every series is stored as it was.
    const ratio = bars.origin === undefined ? COARSER[interval]?.ratio : undefined;
    const folding = ratio === undefined ? null : new Folding(ratio);
    const covered = coverage.of(bars.spans.map(span => span.assetNumber));
    const writer = table.writer(appendsOf(bars, covered));
    for (const span of bars.spans) {
      const { assetNumber, start, end } = span;
      const before = covered.of(assetNumber);
      folding?.begin(writer, assetNumber, bars.day.subarray(start, end));
      const { inserted, replaced: others, unchanged } = mergeSpan(writer, bars, span, before, lost, load);
      total.inserted += inserted;
      total.replaced += others;
      total.unchanged += unchanged;
      if (inserted + others > 0) {
        changed.push(assetNumber);
        folding?.end(writer, assetNumber);
      }
      if (inserted > 0) covered.set(assetNumber, coverageWith(before, bars, span, inserted));
    }
    writer.finish();
    coverage.put(covered);
    pending.add(changed);
    replaced.add(lost);
    if (folding !== null) coarser()?.put(folding.bars(), load);
    return total;
  }

  function replace(assets: readonly AssetNumber[], range: readonly [from: number, to: number], bars: SortedBars): void {
    const spans = new Map(bars.spans.map(span => [span.assetNumber, span]));
    const ordered = [...new Set(assets)].sort((a, b) => a - b);
    const covered = coverage.of(ordered);
    const writer = table.writer();
    const lost = new ReplacedBatch();
    const changed: AssetNumber[] = [];
    for (const assetNumber of ordered) {
      const span = spans.get(assetNumber) ?? { assetNumber, start: 0, end: 0 };
      const before = covered.of(assetNumber);
      const known = spanWith(before, replaced.of(assetNumber).keys());
      const replacement = replaceSpan(writer, bars, span, range, before, known, lost);
      if (!replacement.changed) continue;
      changed.push(assetNumber);
      covered.set(assetNumber, coverageReplaced(writer, bars, span, range, before, replacement));
    }
    writer.finish();
    coverage.put(covered);
    pending.add(changed);
    replaced.add(lost);
  }

  function deliveringLoads(assets: readonly AssetNumber[]): Map<AssetNumber, Set<number>> {
    const found = new Map<AssetNumber, Set<number>>();
    const covered = coverageOf(assets);
    let group = { number: -1, reader: table.reader() };
    for (const [i, asset] of assets.entries()) {
      if (covered[i]!.bars === 0) continue;
      if (table.groupOf(asset) !== group.number) group = { number: table.groupOf(asset), reader: table.reader() };
      const { day } = readOwnCloses(group.reader, asset, covered[i]!, 0, LAST_PERIOD);
      const origins = table.originsOf(asset, day);
      found.set(asset, new Set(Array.from(day, each => loadOf(origins.get(each) ?? 0))));
    }
    return found;
  }

  function remove(places: BarPlaces, madeOnly: boolean): number {
    const periods = daysByAsset(places);
    // In ascending order: the rows of one group of assets at a time are in memory.
    const assets = [...periods.keys()].sort((a, b) => a - b);
    const covered = coverage.of(assets);
    const writer = table.writer();
    const lost = new ReplacedBatch();
    const changed: AssetNumber[] = [];
    const ratio = COARSER[interval]?.ratio;
    const folding = ratio === undefined ? null : new Folding(ratio);
    let total = 0;
    for (const asset of assets) {
      const own = periods.get(asset)!;
      const wanted = madeOnly ? own.filter(period => isMade(writer.originOf(asset, period))) : own;
      folding?.begin(writer, asset, wanted);
      const removed = removeDays(writer, asset, wanted, lost);
      if (removed === 0) continue;
      folding?.end(writer, asset);
      total += removed;
      changed.push(asset);
      covered.set(asset, coverageWithout(writer, asset, covered.of(asset), removed));
    }
    writer.finish();
    coverage.put(covered);
    pending.add(changed);
    replaced.add(lost);
    if (folding !== null) {
      coarser()?.put(folding.bars(), 0);
      coarser()?.remove(folding.emptied(), true);
    }
    if (!madeOnly) finer()?.remake(places);
    return total;
  }

  function remake(places: BarPlaces): void {
    const folding = new Folding(COARSER[interval]!.ratio); // only a finer series is asked for it
    const reader = table.reader();
    const periods = daysByAsset(places);
    for (const asset of [...periods.keys()].sort((a, b) => a - b)) folding.remake(reader, asset, periods.get(asset)!);
    coarser()?.put(folding.bars(), 0);
  }

  function publishedSpans(wanted?: readonly AssetNumber[]): PublishedSpans {
    const stored = meta.read();
    const { version, assets } = stored;
    const known = wanted && [...Uint32Array.from(wanted).sort()].filter(asset => hasAsset(stored, asset));
    const most = known?.length ?? assets;
    const found = { assetNumber: new Uint32Array(most), first: new Int32Array(most), last: new Int32Array(most) };
    let count = 0;
    const take = (asset: AssetNumber, first: number, last: number) => {
      found.assetNumber[count] = asset;
      found.first[count] = first;
      found.last[count++] = last;
    };
    if (interval === '1d') {
      rows.spans(known, take);
    } else {
      const covered = known === undefined ? coverage.all(assets) : coverage.of(known);
      for (const asset of known ?? Array.from({ length: assets }, (_, i) => i + 1)) {
        const [first, end] = covered.published(asset);
        if (first < end) take(asset, first, end - 1);
      }
    }
    const { assetNumber, first, last } = found;
    return {
      version,
      assetNumber: assetNumber.slice(0, count),
      first: first.slice(0, count),
      last: last.slice(0, count),
    };
  }

  /** Bars of all assets before a period at which no block is cut. */
  function drop(before: number): number {
    if (blocks === null) throw new Error('days are kept for ever');
    const { assets } = meta.read();
    const covered = coverage.all(assets);
    let total = 0;
    const older = Array.from({ length: assets }, (_, i) => i + 1).filter(asset => {
      const { firstDay, bars } = covered.of(asset);
      return bars > 0 && firstDay < before;
    });
    for (const [asset, removed] of blocks.drop(older, blockOf(before))) {
      const { lastDay, bars } = covered.of(asset);
      total += removed;
      const left = bars - removed;
      const rest = () => ({ firstDay: oldestDay(table.reader(), asset, before, lastDay), lastDay, bars: left });
      covered.set(asset, left === 0 ? NO_BARS : rest());
    }
    coverage.put(covered);
    replaced.forgetBefore(before);
    if (total > 0) dropped.put(interval, before);
    return total;
  }

  return {
    put,
    remove,
    remake,

    putBars: async (bars, load = 0) => {
      const sorted = sortBars(bars);
      return db.write(() => {
        const state = meta.read();
        for (const { assetNumber } of sorted.spans) requireAsset(state, assetNumber);
        return put(sorted, load);
      });
    },

    bars: async (asset, from, to) => db.read(() => readBars(readerOf(asset), asset, coverageOf([asset])[0]!, from, to)),

    barsFrom: async (assets, from) =>
      db.read(() => {
        const covered = coverageOf(assets);
        const reader = table.reader();
        const stored = covered.map((one, i) => (one.bars === 0 ? null : Math.max(one.firstDay, from[i]!)));
        const first = Math.min(...stored.filter(day => day !== null));
        const last = Math.max(...covered.map(one => (one.bars === 0 ? -1 : one.lastDay)));
        if (first <= last) reader.readAhead(assets, [...FIELDS.keys()], blockOf(first), blockOf(last));
        return readBarsFrom(reader, assets, covered, from, field => reader.hasField(field));
      }),

    publishedCloses: async (asset, ...asked) => {
      const { version, found } = published(asset, asked, (from, to) => {
        const closes = readOwnCloses(readerOf(asset), asset, coverageOf([asset])[0]!, from, to);
        return beforeReplaced(closes, replaced.of(asset), from, to);
      });
      return { version, closes: found };
    },

    publishedBars: async (asset, ...asked) => {
      const { version, found } = published(asset, asked, (from, to) => {
        const bars = readBars(readerOf(asset), asset, coverageOf([asset])[0]!, from, to);
        return barsBeforeReplaced(bars, replaced.of(asset), from, to);
      });
      return { version, bars: found };
    },

    origins: async asset => db.read(() => originsOf(asset, 0, LAST_PERIOD)),

    publishedOrigins: async (asset, ...asked) => {
      const { version, found } = published(asset, asked, (from, to) =>
        ofPublished(originsOf(asset, from, to), replaced.of(asset)),
      );
      return { version, origins: found };
    },

    replacedCloses: async () => db.read(() => replaced.all()),

    closes: async (assets, days, until, also = {}) =>
      db.read(() => {
        const { reader, covered, first } = readAhead(assets, days, until ?? LAST_PERIOD, [CLOSE]);
        const found = readCloses(reader, assets, covered, days, also.closeDays);
        return also.onlyCloses ? { ...found, onlyCloses: table.hasOnlyCloses(assets, blockOf(first)) } : found;
      }),

    dailyBars: async (assets, days, until, also = {}) =>
      db.read(() => {
        const { reader, covered } = readAhead(assets, days, until ?? LAST_PERIOD, [...FIELDS.keys()]);
        return readDailyBars(reader, assets, covered, days, also.closeDays);
      }),

    barsOfLoad: async load => db.read(() => barsOfLoad(table, load)),

    removeBars: async places =>
      db.write(() => {
        const state = meta.read();
        for (const asset of places.assetNumber) requireAsset(state, asset);
        return remove(places, false);
      }),

    replaceBars: async (assets, from, to, bars) => {
      const sorted = sortBars(bars);
      return db.write(() => {
        const state = meta.read();
        for (const asset of assets) requireAsset(state, asset);
        replace(assets, [from, to], sorted);
      });
    },

    deliveringLoads: async assets => db.read(() => deliveringLoads(assets)),

    publishedSpans: async assets => db.read(() => publishedSpans(assets)),

    dropBefore: async period => db.write(() => drop(dropBoundary(interval, period))),
  };
}

// The sources of assets, their bars as far as they are kept apart, what of it is not yet merged, and price rules.

import type { AssetNumber } from '../../domain/asset.ts';
import { BASE_INTERVALS } from '../../domain/interval.ts';
import { sortBars } from '../bars/batch.ts';
import { blockOf } from '../bars/blocks.ts';
import { dropBoundary } from '../bars/fold.ts';
import type { LoadBars, SourceSeries, SourceStore, StoredSource, Unmerged } from '../port/store.ts';
import { barsOfLoad, endOf, FirstChanges, putBars, readBars, removeBars } from './source-blocks.ts';
import { type Records, run, type Steps } from './steps.ts';
import {
  ACCEPTANCES,
  ACTIONS,
  CORRECTIONS,
  FINDINGS,
  PRICE_RULES,
  SOURCE_BLOCKS,
  SOURCES,
  UNMERGED,
} from './tables.ts';
import { markUnmerged } from './unmerged.ts';

export function sourceStore(db: Records): SourceStore {
  return {
    sources: assets => db.readNewest(() => recorded(assets)),

    onlySource: async () => {
      const [found] = await db.readNewest(() =>
        SOURCES.select<[assets: number, first: string, last: string, separate: number]>(
          'count(*) AS assets, min(name) AS name, max(name) AS other, count(*) FILTER (WHERE separate) AS separate',
          '',
        ),
      );
      const [assets, name, other, separate] = found!; // an aggregate has one row
      return Number(assets) > 0 && name === other && Number(separate) === 0 ? { name, assets: Number(assets) } : null;
    },

    separateAssets: async () => {
      const found = await db.readNewest(() =>
        SOURCES.select<[asset: AssetNumber]>('asset', 'WHERE separate GROUP BY asset ORDER BY asset'),
      );
      return found.map(([asset]) => asset);
    },

    putSources: sources => db.write(() => SOURCES.put(sources.map(source => ({ ...source, separate: false })))),

    separateSources: (asset, sources) =>
      db.write(function* () {
        yield* run(on => on.requireAssets([asset]));
        yield* SOURCES.remove('WHERE asset = $1', asset);
        yield* SOURCE_BLOCKS.remove('WHERE asset = $1', asset);
        yield* SOURCES.put(
          sources.map(({ name, firstLoad }) => ({ assetNumber: asset, name, firstLoad, separate: true })),
        );
        for (const { name, bars } of sources) {
          for (const interval of BASE_INTERVALS) {
            const own = bars[interval];
            if (own !== undefined) yield* putBars(name, interval, sortBars(own), 0, new FirstChanges());
          }
        }
      }),

    putSourceBars: (source, interval, bars, load) => {
      const sorted = sortBars(bars);
      const assets = sorted.spans.map(span => span.assetNumber);
      return db.write(function* () {
        yield* run(on => on.requireAssets(assets));
        const known = new Set((yield* recorded(assets)).filter(isNamed(source)).map(({ assetNumber }) => assetNumber));
        const fresh = assets.filter(asset => !known.has(asset));
        yield* SOURCES.put(fresh.map(assetNumber => ({ assetNumber, name: source, firstLoad: load, separate: true })));
        const changed = new FirstChanges();
        const total = yield* putBars(source, interval, sorted, load, changed);
        yield* markUnmerged(placesOf(changed));
        return total;
      });
    },

    removeSourceBars: (source, interval, places) =>
      db.write(function* () {
        yield* run(on => on.requireAssets([...new Set(places.assetNumber)]));
        const changed = new FirstChanges();
        const removed = yield* removeBars(source, interval, places, false, changed);
        yield* markUnmerged(placesOf(changed));
        return removed;
      }),

    sourceBars: (assets, interval, from, to) =>
      db.read(function* () {
        const found = new Map<AssetNumber, SourceSeries[]>(assets.map(asset => [asset, []]));
        const separate = (yield* recorded(assets)).filter(source => source.separate);
        const byName = Map.groupBy(separate, ({ name }) => name);
        const series = new Map<string, Map<AssetNumber, SourceSeries>>();
        for (const [name, own] of byName) {
          const wanted = own.map(({ assetNumber }) => assetNumber);
          series.set(name, yield* readBars(wanted, name, interval, from, to));
        }
        for (const { assetNumber, name } of separate) {
          const bars = series.get(name)?.get(assetNumber);
          if (bars !== undefined) found.get(assetNumber)!.push(bars);
        }
        return found;
      }),

    sourceSpan: (asset, source, interval) =>
      db.read(function* () {
        const first = yield* endOf(asset, source, interval, 'oldest');
        const last = yield* endOf(asset, source, interval, 'newest');
        return first === null || last === null ? null : { first, last };
      }),

    sourceBarsOfLoad: async (interval, load) => {
      const found = new Map<string, { assetNumber: number[]; day: number[]; replaced: number[] }>();
      const separate = (await db.readNewest(() => recorded())).filter(source => source.separate);
      // One asset at a time: all bars together may not fit into memory.
      for (const [asset, own] of Map.groupBy(separate, ({ assetNumber }) => assetNumber)) {
        const names = own.map(({ name }) => name);
        for (const [source, { day, replaced }] of await db.read(() => barsOfLoad(asset, names, interval, load))) {
          const all = found.get(source) ?? { assetNumber: [], day: [], replaced: [] };
          found.set(source, all);
          for (let i = 0; i < day.length; i++) {
            all.assetNumber.push(asset);
            all.day.push(day[i]!);
            all.replaced.push(replaced[i]!);
          }
        }
      }
      const columns = ({ assetNumber, day, replaced }: Record<keyof LoadBars, number[]>): LoadBars => ({
        assetNumber: Uint32Array.from(assetNumber),
        day: Int32Array.from(day),
        replaced: Uint8Array.from(replaced),
      });
      return new Map(Array.from(found, ([source, all]) => [source, columns(all)]));
    },

    dropSourceBars: async (interval, period) => {
      const before = blockOf(dropBoundary(interval, period));
      await db.write(() => SOURCE_BLOCKS.remove('WHERE interval = $1 AND block < $2', interval, before));
    },

    forgetSources: asset =>
      db.write(function* () {
        for (const table of OF_ASSETS) yield* table.remove('WHERE asset = $1', asset);
      }),

    unmerged: async () => [...(await db.readNewest(() => UNMERGED.rows('ORDER BY first_period, asset')))],

    markUnmerged: places => db.write(() => markUnmerged(places)),

    forgetUnmerged: async places => {
      if (places.length === 0) return;
      await db.write(function* () {
        for (const { assetNumber, interval } of places) {
          yield* UNMERGED.remove('WHERE asset = $1 AND interval = $2', assetNumber, interval);
        }
      });
    },

    priceRules: async () => [...(await db.readNewest(() => PRICE_RULES.rows('ORDER BY asset')))],

    setPriceRules: (rules, unmerged) =>
      db.write(function* () {
        yield* PRICE_RULES.remove('WHERE asset >= $1', 0);
        yield* PRICE_RULES.put(rules);
        yield* markUnmerged(unmerged);
      }),
  };
}

const OF_ASSETS = [SOURCES, SOURCE_BLOCKS, UNMERGED, PRICE_RULES, CORRECTIONS, ACTIONS, FINDINGS, ACCEPTANCES];

function* recorded(assets?: readonly AssetNumber[]): Steps<StoredSource[]> {
  const rows = yield* assets === undefined ? SOURCES.rows('') : SOURCES.rowsOf('asset', assets);
  return rows.toSorted(
    (a, b) =>
      a.assetNumber - b.assetNumber || a.firstLoad - b.firstLoad || (a.name < b.name ? -1 : Number(a.name > b.name)),
  );
}

function isNamed(name: string): (source: StoredSource) => boolean {
  return source => source.name === name;
}

function placesOf({ periods }: FirstChanges): Unmerged[] {
  return [...periods].flatMap(([interval, own]) =>
    Array.from(own, ([assetNumber, firstPeriod]) => ({ assetNumber, interval, firstPeriod })),
  );
}

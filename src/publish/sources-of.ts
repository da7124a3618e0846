// Which sources an asset has, and what each of them said: of most assets the served bars are those of its only source.

import type { AssetNumber } from '../domain/asset.ts';
import { BASE_INTERVALS, type BaseInterval, LAST_PERIOD, type Period } from '../domain/interval.ts';
import { CORRECTION } from '../domain/source-bars.ts';
import { loadOf } from '../store/port/origins.ts';
import type {
  LoadLog,
  SeparatedSource,
  SeriesStore,
  SourceSeries,
  SourceStore,
  StoredBars,
  StoredSource,
} from '../store/store.ts';

export type SourcesStore = SourceStore & Pick<SeriesStore, 'series'> & Pick<LoadLog, 'loadsOf'>;

/** What is read of sources. */
export type ReadSourcesStore = Pick<SourceStore, 'sources' | 'sourceBars' | 'priceRules'> &
  Pick<SeriesStore, 'series'> &
  Pick<LoadLog, 'loadsOf'>;

/** Of bars whose load is unknown. */
export const UNKNOWN_SOURCE = 'unknown';

/** Assets whose origins are looked at together. */
const ASSETS_AT_ONCE = 1000;

/** The name of the source in the label of a load: `kraken` in `ccxt:kraken 1m` and in `live kraken`, `csv` in `csv prices.csv`. */
export function sourceOfLabel(label: string): string {
  const [first = '', second = ''] = label.split(' ');
  if (first === 'live' && second !== '') return second.split(',')[0]!;
  return first.replace(/^ccxt:/, '') || UNKNOWN_SOURCE;
}

/**
 * The sources of each of these assets in the order of their first loads; none of an asset without bars. What no load has recorded, as in a
 * store of an older version, follows from the loads that delivered the bars. Bars whose load is unknown are of the only source that is known.
 */
export async function sourcesOf(
  store: ReadSourcesStore,
  assets: readonly AssetNumber[],
): Promise<Map<AssetNumber, readonly StoredSource[]>> {
  const found: Map<AssetNumber, readonly StoredSource[]> = Map.groupBy(
    await store.sources(assets),
    ({ assetNumber }) => assetNumber,
  );
  const others = assets.filter(asset => !found.has(asset));
  for (let from = 0; from < others.length; from += ASSETS_AT_ONCE) {
    for (const [asset, names] of await derived(store, others.slice(from, from + ASSETS_AT_ONCE))) {
      const sources = Array.from(names, ([name, loads]) => ({
        ...{ assetNumber: asset, name, separate: false },
        firstLoad: Math.min(...loads),
      }));
      found.set(
        asset,
        sources.sort((a, b) => a.firstLoad - b.firstLoad),
      );
    }
  }
  return found;
}

/** The loads of each source of assets whose bars are the served ones. */
async function derived(
  store: ReadSourcesStore,
  assets: readonly AssetNumber[],
): Promise<Map<AssetNumber, Map<string, Set<number>>>> {
  const loads = new Map<AssetNumber, Set<number>>();
  for (const interval of BASE_INTERVALS) {
    for (const [asset, own] of await store.series(interval).deliveringLoads(assets)) {
      loads.set(asset, (loads.get(asset) ?? new Set()).union(own));
    }
  }
  const all = new Set<number>();
  for (const own of loads.values()) for (const load of own) all.add(load);
  const nameOf = await namesOfLoads(store, [...all]);
  const found = new Map<AssetNumber, Map<string, Set<number>>>();
  for (const [asset, own] of loads) {
    const names = new Map<string, Set<number>>();
    for (const load of own) {
      const name = nameOf(load) ?? UNKNOWN_SOURCE;
      names.set(name, (names.get(name) ?? new Set()).add(load));
    }
    const unknown = names.get(UNKNOWN_SOURCE);
    if (unknown !== undefined && names.size === 2) {
      names.delete(UNKNOWN_SOURCE);
      for (const [, known] of names) for (const load of unknown) known.add(load);
    }
    found.set(asset, names);
  }
  return found;
}

async function namesOfLoads(
  store: Pick<LoadLog, 'loadsOf'>,
  loads: readonly number[],
): Promise<(load: number) => string | undefined> {
  const names = new Map((await store.loadsOf(loads)).map(({ id, source }) => [id, sourceOfLabel(source)]));
  return load => names.get(load);
}

/** The bars of each source of an asset, in the order of `sourcesOf`, from and to included; without sources that have none. */
export async function readSources(
  store: ReadSourcesStore,
  asset: AssetNumber,
  interval: BaseInterval,
  from: number,
  to: number,
): Promise<SourceSeries[]> {
  const sources = (await sourcesOf(store, [asset])).get(asset) ?? [];
  if (sources.some(({ separate }) => separate)) {
    return (await store.sourceBars([asset], interval, from, to)).get(asset) ?? [];
  }
  const series = store.series(interval);
  // Within the calendar of the interval.
  const { day, ...numbers } = await series.bars(asset, from as Period, to as Period);
  const origins = await series.origins(asset);
  const origin = Int32Array.from(day, period => origins.get(period) ?? 0);
  if (day.length === 0) return [];
  if (sources.length === 1) return [{ source: sources[0]!.name, period: day, ...numbers, origin }];
  const nameOf = await namesOfLoads(store, [...new Set(Array.from(origin, loadOf))]);
  const names = Array.from(origin, each => nameOf(loadOf(each)) ?? UNKNOWN_SOURCE);
  return sources.flatMap(({ name }) => {
    const places = [...names.keys()].filter(i => names[i] === name);
    if (places.length === 0) return [];
    const pick = (column: Float64Array) => Float64Array.from(places, i => column[i]!);
    return [
      {
        source: name,
        period: Int32Array.from(places, i => day[i]!),
        ...{ open: pick(numbers.open), high: pick(numbers.high), low: pick(numbers.low), close: pick(numbers.close) },
        volume: pick(numbers.volume),
        origin: Int32Array.from(places, i => origin[i]!),
      },
    ];
  });
}

/**
 * Keeps the bars of each source of an asset apart from now on: before a second source, a correction or an action. What is served stays. The
 * caller is the only one who writes. Does nothing if they are apart already.
 */
export async function separate(store: SourcesStore, asset: AssetNumber): Promise<void> {
  const sources = (await sourcesOf(store, [asset])).get(asset) ?? [];
  if (sources.some(source => source.separate)) return;
  if (sources.length === 0) {
    // What its actions give it is not of a source of its own.
    await store.separateSources(asset, [{ name: CORRECTION, firstLoad: 0, bars: {} }]);
    return;
  }
  const bars = new Map(sources.map(({ name }) => [name, {} as Partial<Record<BaseInterval, StoredBars>>]));
  for (const interval of BASE_INTERVALS) {
    for (const { source, period, origin, open, high, low, close, volume } of await readSources(
      ...([store, asset, interval, 0, LAST_PERIOD] as const),
    )) {
      const count = period.length;
      const assetNumber = new Uint32Array(count).fill(asset);
      const own = { count, assetNumber, day: period, open, high, low, close, volume, origin };
      bars.get(source)![interval] = own;
    }
  }
  const separated: SeparatedSource[] = sources.map(({ name, firstLoad }) => ({
    ...{ name, firstLoad },
    bars: bars.get(name)!,
  }));
  await store.separateSources(asset, separated);
}

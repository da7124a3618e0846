// Where the bars of a load go. The bars of an asset whose only source this is are the served ones; else each source's bars are kept apart,
// and the publication makes the served ones of them.

import type { AssetNumber } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';
import type { BaseInterval } from '../domain/interval.ts';
import { type SourcesStore, separate, sourceOfLabel, sourcesOf } from '../publish/sources-of.ts';
import type { BarChanges, StoredBars, StoredSource } from '../store/store.ts';
import { type AssetRegistry, FEW_BARS } from './asset-registry.ts';
import type { AssetRef, Since, Source } from './source.ts';

/** By asset number; 0 if it is not known yet. */
const [SERVED, APART] = [1, 2];

/** The name under which the bars of a source are kept. */
export function sourceNameOf({ name, barSource }: Pick<Source, 'name' | 'barSource'>): string {
  return barSource ?? sourceOfLabel(name);
}

/** For one source. What it knows stays true as long as its user is the only one who writes. */
export class SourceRoutes {
  readonly #store: SourcesStore;
  readonly #source: string;
  /** Whether an asset may have bars that no source is recorded for. */
  readonly #mayHaveBars: (asset: AssetNumber) => boolean;
  #routes = new Uint8Array(1024);

  private constructor(store: SourcesStore, source: string, mayHaveBars: (asset: AssetNumber) => boolean) {
    this.#store = store;
    this.#source = source;
    this.#mayHaveBars = mayHaveBars;
  }

  /** Reads the sources of all assets at once. */
  static async ofAll(store: SourcesStore, source: string, registry: AssetRegistry): Promise<SourceRoutes> {
    const routes = new SourceRoutes(store, source, asset => registry.hadBars(asset));
    const [only, assets] = [await store.onlySource(), registry.assets];
    // In most stores every asset has this source and no other.
    if (only?.name === source && only.assets === assets.length) {
      for (const asset of assets) routes.#set(asset, SERVED);
    } else {
      routes.#learn(await store.sources());
    }
    return routes;
  }

  /** Puts some bars: reads the sources of their assets only. */
  static async put(
    store: SourcesStore,
    source: string,
    interval: BaseInterval,
    bars: StoredBars,
    load: number,
  ): Promise<BarChanges> {
    const routes = new SourceRoutes(store, source, () => true);
    await routes.prepare(bars, load);
    return routes.put(interval, bars, load);
  }

  /** Decides where the bars of each asset go, and makes room for them. */
  async prepare({ count, assetNumber }: Pick<StoredBars, 'count' | 'assetNumber'>, load: number): Promise<void> {
    const unknown = new Set<AssetNumber>();
    for (let i = 0; i < count; i++) if (!this.#routes[assetNumber[i]!]) unknown.add(assetNumber[i]!);
    if (unknown.size > 0) await this.#decide([...unknown], load);
  }

  /** As `Series.putBars`, for bars that were prepared. */
  async put(interval: BaseInterval, bars: StoredBars, load: number): Promise<BarChanges> {
    let apart = 0;
    for (let i = 0; i < bars.count; i++) if (this.#routes[bars.assetNumber[i]!] === APART) apart++;
    const series = this.#store.series(interval);
    if (apart === 0) return series.putBars(bars, load);
    if (apart === bars.count) return this.#store.putSourceBars(this.#source, interval, bars, load);
    // Both before anything is awaited: then the memory of the bars may be used for others.
    const [served, others] = [this.#only(bars, SERVED, bars.count - apart), this.#only(bars, APART, apart)];
    const first = served.count > 0 ? await series.putBars(served, load) : NOTHING;
    const second = await this.#store.putSourceBars(this.#source, interval, others, load);
    return {
      inserted: first.inserted + second.inserted,
      replaced: first.replaced + second.replaced,
      unchanged: first.unchanged + second.unchanged,
    };
  }

  async #decide(assets: readonly AssetNumber[], load: number): Promise<void> {
    const known = assets.filter(this.#mayHaveBars);
    const found = await sourcesOf(this.#store, known);
    const recorded = new Set((await this.#store.sources(known)).map(({ assetNumber }) => assetNumber));
    const fresh: Omit<StoredSource, 'separate'>[] = [];
    for (const assetNumber of assets) {
      const [first, ...others] = found.get(assetNumber) ?? [];
      const isOnly = first === undefined || (others.length === 0 && first.name === this.#source && !first.separate);
      if (!isOnly) await separate(this.#store, assetNumber);
      else if (!recorded.has(assetNumber)) {
        fresh.push({ assetNumber, name: this.#source, firstLoad: first?.firstLoad ?? load });
      }
      this.#set(assetNumber, isOnly ? SERVED : APART);
    }
    if (fresh.length > 0) await this.#store.putSources(fresh);
  }

  /** They come by asset. */
  #learn(sources: readonly StoredSource[]): void {
    for (const [i, { assetNumber, name, separate }] of sources.entries()) {
      const isOnly = sources[i - 1]?.assetNumber !== assetNumber && sources[i + 1]?.assetNumber !== assetNumber;
      if (separate) this.#set(assetNumber, APART);
      else if (isOnly && name === this.#source) this.#set(assetNumber, SERVED);
    }
  }

  #set(asset: AssetNumber, route: number): void {
    if (asset >= this.#routes.length) {
      const longer = new Uint8Array(2 * asset);
      longer.set(this.#routes);
      this.#routes = longer;
    }
    this.#routes[asset] = route;
  }

  #only(bars: StoredBars, route: number, count: number): StoredBars {
    const places = new Uint32Array(count);
    let at = 0;
    for (let i = 0; i < bars.count; i++) if (this.#routes[bars.assetNumber[i]!] === route) places[at++] = i;
    const pick = (name: Exclude<keyof BarColumns, 'day'>) => {
      const picked = new Float64Array(count);
      for (let i = 0; i < count; i++) picked[i] = bars[name][places[i]!]!;
      return picked;
    };
    return {
      count,
      assetNumber: places.map(i => bars.assetNumber[i]!),
      day: Int32Array.from(places, i => bars.day[i]!),
      ...{ open: pick('open'), high: pick('high'), low: pick('low'), close: pick('close'), volume: pick('volume') },
    };
  }
}

const NOTHING: BarChanges = { inserted: 0, replaced: 0, unchanged: 0 };

/** Which periods of an asset this source has already; those of other sources do not count. */
export function storedSpans(store: SourcesStore, registry: AssetRegistry, source: string): Since {
  return async (ref: AssetRef, interval) => {
    const asset = registry.find(ref);
    if (asset === null || !registry.hadBars(asset.assetNumber)) return null;
    const sources = (await sourcesOf(store, [asset.assetNumber])).get(asset.assetNumber) ?? [];
    if (!sources.some(({ name }) => name === source)) return null;
    if (!sources.some(({ separate: isApart }) => isApart)) {
      return sources.length === 1 ? registry.storedSpan(ref, interval) : null;
    }
    const span = await store.sourceSpan(asset.assetNumber, source, interval);
    return span !== null && interval === '1d' && span.last - span.first + 1 < FEW_BARS ? null : span;
  };
}

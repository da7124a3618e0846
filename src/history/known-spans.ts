// The published spans of the assets that were requested, kept until the next publication. Only those of the asset are read: a store with
// 100,000 assets would take the thread a tenth of a second for all of them.

import type { AssetNumber } from '../domain/asset.ts';
import type { BaseInterval, Period } from '../domain/interval.ts';
import type { PublishedSpans, Series } from '../store/store.ts';

/** Periods of a base interval. */
export interface Span {
  readonly first: Period;
  readonly last: Period;
}

export type SpanReader = Pick<Series, 'publishedSpans'>;

interface OfVersion {
  readonly version: number;
  /** By asset; null: nothing of it is published. */
  readonly spans: Map<AssetNumber, Span | null>;
}

/** Assets whose spans are kept per base interval. */
const MOST = 20_000;

export class KnownSpans {
  readonly #known = new Map<BaseInterval, OfVersion>();

  /** Of all these assets and one version: the wanted one, if it is published still, or else the newest. */
  async of(
    base: BaseInterval,
    series: SpanReader,
    assets: readonly AssetNumber[],
    wanted: number | undefined,
  ): Promise<OfVersion> {
    for (let version = wanted; ; ) {
      const known = this.#known.get(base);
      const isKnown = (asset: AssetNumber) => known?.version === version && known?.spans.has(asset) === true;
      const missing = assets.filter(asset => !isKnown(asset));
      if (missing.length === 0 && known !== undefined) return known;
      const found = await series.publishedSpans(missing);
      const kept = this.#keep(base, missing, found);
      // Else another version was published meanwhile, and the others are read as well.
      if (assets.every(asset => kept.spans.has(asset))) return kept;
      version = found.version;
    }
  }

  #keep(base: BaseInterval, assets: readonly AssetNumber[], found: PublishedSpans): OfVersion {
    let known = this.#known.get(base);
    if (known?.version !== found.version || known.spans.size + assets.length > MOST) {
      known = { version: found.version, spans: new Map() };
      this.#known.set(base, known);
    }
    for (const asset of assets) known.spans.set(asset, null);
    for (const [i, asset] of found.assetNumber.entries()) {
      // Periods of the store.
      known.spans.set(asset as AssetNumber, { first: found.first[i] as Period, last: found.last[i] as Period });
    }
    return known;
  }
}

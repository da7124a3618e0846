// The facts of assets on the days of their rows, for the snapshot of a past moment.

import type { AssetNumber } from '../../domain/asset.ts';
import type { FactsOnDays } from '../../store/store.ts';

const NONE = -1;

export class PastFacts {
  readonly #places: ReadonlyMap<AssetNumber, number>;
  readonly #facts: FactsOnDays;

  /** `facts` has one number per asset. */
  constructor(assetNumbers: ArrayLike<AssetNumber>, facts: FactsOnDays) {
    this.#places = new Map(Array.from(assetNumbers, (asset, place) => [asset, place]));
    this.#facts = facts;
  }

  /** NaN for none. */
  rank(asset: AssetNumber): number {
    return this.#facts.rank[this.#place(asset)] ?? Number.NaN;
  }

  supply(asset: AssetNumber): number {
    return this.#facts.supply[this.#place(asset)] ?? Number.NaN;
  }

  marketCap(asset: AssetNumber, price: number): number {
    return marketCapOf(price, this.supply(asset), this.#facts.marketCap[this.#place(asset)]);
  }

  #place(asset: AssetNumber): number {
    return this.#places.get(asset) ?? NONE;
  }
}

/** What a source says of the day, or else the price of all circulating units; NaN for none. */
export function marketCapOf(price: number, supply: number, recorded = Number.NaN): number {
  const cap = Number.isNaN(recorded) ? price * supply : recorded;
  return Number.isFinite(cap) ? cap : Number.NaN;
}

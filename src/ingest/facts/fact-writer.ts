// Stores the batches of a load of facts. If a file has its newest rows first, a later batch is of earlier days.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import type { FactChanges, FactRow, FactStore } from '../../store/store.ts';

export class FactWriter {
  readonly #store: Pick<FactStore, 'factsOn' | 'putFacts'>;
  readonly #load: number;
  /** The oldest day of each asset so far. */
  readonly #oldest = new Map<AssetNumber, Day>();

  constructor(store: Pick<FactStore, 'factsOn' | 'putFacts'>, load: number) {
    this.#store = store;
    this.#load = load;
  }

  async put(rows: readonly FactRow[]): Promise<FactChanges> {
    const earlier = new Set<AssetNumber>();
    for (const { assetNumber, day } of rows) if (day < this.#oldestOf(assetNumber, day)) earlier.add(assetNumber);
    const assets = [...earlier];
    const days = assets.map(asset => this.#oldest.get(asset)!); // the condition above found it
    const recorded = await this.#store.factsOn(assets, days);
    const changes = await this.#store.putFacts(rows, this.#load);
    // A value that repeated an older one took no space, and the older one may have changed now.
    const kept = assets.map((assetNumber, i) => ({
      ...{ assetNumber, day: days[i]! },
      ...(Number.isNaN(recorded.rank[i]) ? {} : { rank: recorded.rank[i]! }),
      ...(Number.isNaN(recorded.supply[i]) ? {} : { supply: recorded.supply[i]! }),
    }));
    await this.#store.putFacts(kept, this.#load);
    for (const { assetNumber, day } of rows) {
      if (day <= this.#oldestOf(assetNumber, day)) this.#oldest.set(assetNumber, day);
    }
    return changes;
  }

  #oldestOf(asset: AssetNumber, day: Day): Day {
    return this.#oldest.get(asset) ?? day;
  }
}

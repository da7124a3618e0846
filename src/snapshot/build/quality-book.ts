// What is known about the daily bars of each asset, for the columns of the group `quality`.

import type { AssetNumber } from '../../domain/asset.ts';
import { type AssetQuality, QUALITY_DAYS, type QualityFacts } from '../../publish/read-quality.ts';
import { DEFAULT_RULE_SETTINGS } from '../../quality/settings.ts';

export type { QualityFacts };

export type QualityColumn = 'sources' | 'gaps365' | 'stale' | 'findings30' | 'findings365';

export class QualityBook {
  readonly #assets = new Map<AssetNumber, AssetQuality>();
  #stalePeriods = DEFAULT_RULE_SETTINGS['stale-periods'];

  take(facts: QualityFacts | undefined, all: boolean): void {
    if (facts === undefined) return;
    this.#stalePeriods = facts.stalePeriods;
    if (all || facts.changed === undefined) this.#assets.clear();
    else for (const asset of facts.changed) this.#assets.delete(asset);
    for (const [asset, quality] of facts.assets) this.#assets.set(asset, quality);
  }

  /** Of an asset whose latest close is of this day. */
  value(column: QualityColumn, asset: AssetNumber, day: number, newest: number, isDelisted: boolean): number {
    const missing = newest - day;
    const stale = !isDelisted && missing > this.#stalePeriods ? missing : 0;
    const { sources = 1, gaps = [], open = [] } = this.#assets.get(asset) ?? {};
    const within = (days: readonly number[], window: number) => days.filter(each => each > newest - window).length;
    switch (column) {
      case 'sources':
        return sources;
      case 'gaps365':
        return within(gaps, QUALITY_DAYS);
      case 'stale':
        return stale;
      case 'findings30':
        return within(open, 30);
      case 'findings365':
        return within(open, QUALITY_DAYS);
    }
  }
}

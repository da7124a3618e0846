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
    if (column === 'stale') {
      const missing = newest - day;
      return !isDelisted && missing > this.#stalePeriods ? missing : 0;
    }
    const known = this.#assets.get(asset);
    switch (column) {
      case 'sources':
        return known?.sources ?? 1;
      case 'gaps365':
        return countSince(known?.gaps, newest - QUALITY_DAYS);
      case 'findings30':
        return countSince(known?.open, newest - 30);
      case 'findings365':
        return countSince(known?.open, newest - QUALITY_DAYS);
    }
  }
}

/** How many of these days are after that one. */
function countSince(days: readonly number[] | undefined, day: number): number {
  return days === undefined ? 0 : days.filter(each => each > day).length;
}

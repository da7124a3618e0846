// The bars of each source of an asset, side by side.
//
// While an asset has one source and nothing corrects or adjusts it, the bars of that source are the served ones and are stored once. Else
// the bars of each source are kept apart, and the publication makes the served ones of them by the price rule.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval } from '../../domain/interval.ts';

export interface StoredSource {
  readonly assetNumber: AssetNumber;
  readonly name: string;
  /** 0 if it is unknown. Sources that a price rule does not name come in the order of their first loads. */
  readonly firstLoad: number;
  /** Whether its bars are kept apart from the served ones. */
  readonly separate: boolean;
}

/** From this period on, the served bars of an asset are not yet made of those of its sources. */
export interface Unmerged {
  readonly assetNumber: AssetNumber;
  readonly interval: BaseInterval;
  readonly firstPeriod: number;
}

/** The price rule of one asset, or with the number 0 that of all assets without one. */
export interface StoredPriceRule {
  readonly assetNumber: AssetNumber;
  readonly rule: unknown;
}

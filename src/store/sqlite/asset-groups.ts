// Assets in groups of 32 consecutive numbers. Bars, coverage, current rows and pending flags are stored per group: a row per
// asset would spend most of the time of a load on the rows themselves.

import type { AssetNumber } from '../../domain/asset.ts';

export const GROUP_SIZE = 32;

export function groupOf(asset: AssetNumber): number {
  return Math.floor(asset / GROUP_SIZE);
}

/** The position of an asset in its group. */
export function memberOf(asset: AssetNumber): number {
  return asset % GROUP_SIZE;
}

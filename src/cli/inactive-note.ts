// Explains how many assets the listing leaves out, so that none vanishes without a word.

import type { Asset } from '../domain/asset.ts';
import { isActive } from '../domain/asset-state.ts';
import { isoFromDay } from '../domain/day.ts';
import { FIAT } from '../domain/quote.ts';
import type { AssetStore } from '../store/store.ts';
import { count, counted } from './terminal.ts';

/** Whether people know the asset: one that has neither bars nor a profile, because it was removed, is in no dataset. */
export function isKnown({ provisional, lastDay }: Pick<Asset, 'provisional' | 'lastDay'>): boolean {
  return !provisional || lastDay !== null;
}

export interface AssetCounts {
  readonly assets: number;
  /** Of the assets with prices. */
  readonly active: number;
  readonly inactive: number;
  /** Null if every asset with prices is active. */
  readonly note: string | null;
}

export async function countActive(store: AssetStore, activeDays: number): Promise<AssetCounts> {
  // Fiat currencies are not listed.
  const assets = (await store.assets()).filter(asset => isKnown(asset) && asset.type !== FIAT);
  const days = assets.flatMap(({ lastDay, delisted }) => (lastDay === null ? [] : [{ lastDay, delisted }]));
  const newest = days.reduce((latest, { lastDay }) => Math.max(latest, lastDay), 0);
  const delisted = days.filter(asset => asset.delisted).length;
  const inactive = days.filter(asset => !isActive(asset.lastDay, newest, asset.delisted, activeDays)).length;
  const old = inactive - delisted;
  const last = days.find(({ lastDay }) => lastDay === newest);
  const reasons = [
    ...(old > 0 && last
      ? [`${count(old)} without a close within ${counted(activeDays, 'day')} of ${isoFromDay(last.lastDay)}`]
      : []),
    ...(delisted > 0 ? [`${count(delisted)} delisted`] : []),
  ];
  const verb = inactive === 1 ? 'is' : 'are';
  const note = `${counted(inactive, 'asset')} ${verb} inactive and not in the listing: ${reasons.join(', ')}`;
  return { assets: assets.length, active: days.length - inactive, inactive, note: inactive === 0 ? null : note };
}

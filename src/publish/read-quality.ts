// What a listing says about the quality of an asset's daily bars: its sources, its gaps and its open findings.

import type { AssetNumber } from '../domain/asset.ts';
import type { CurrentRow, ReviewStore, SourceStore } from '../store/store.ts';
import { thresholds } from './checks.ts';
import { reviewed } from './review.ts';

export interface AssetQuality {
  readonly sources: number;
  /** First days of gaps. */
  readonly gaps: readonly number[];
  /** Days of open findings. */
  readonly open: readonly number[];
}

export interface QualityFacts {
  /** Of assets that have findings or several sources. Others have one source and no finding. */
  readonly assets: ReadonlyMap<AssetNumber, AssetQuality>;
  /** Those that may have changed since; undefined: all. */
  readonly changed?: readonly AssetNumber[] | undefined;
  /** An asset that lacks more days is stale. */
  readonly stalePeriods: number;
}

export type QualityStore = Pick<ReviewStore, 'findings' | 'acceptances' | 'corrections' | 'checks'> &
  Pick<SourceStore, 'sources' | 'separateAssets'>;

/** Days that a listing looks back. */
export const QUALITY_DAYS = 365;

/** Of all assets, or of those whose rows were published again: whatever changes a finding publishes the row of its asset. */
export async function readQuality(store: QualityStore, rows?: readonly CurrentRow[]): Promise<QualityFacts> {
  const changed = rows?.map(({ assetNumber }) => assetNumber);
  const newest = rows?.reduce((latest, { day }) => Math.max(latest, day), 0);
  const from = newest === undefined ? {} : { from: newest - QUALITY_DAYS };
  const findings = await store.findings({
    interval: '1d',
    ...from,
    ...(changed === undefined ? {} : { assets: changed }),
  });
  const settings = await thresholds(store);
  const assets = new Map<AssetNumber, { sources: number; gaps: number[]; open: number[] }>();
  const of = (asset: AssetNumber) => {
    const known = assets.get(asset) ?? { sources: 1, gaps: [], open: [] };
    assets.set(asset, known);
    return known;
  };
  if (findings.length > 0) {
    const reviews = { findings, acceptances: await store.acceptances(), corrections: await store.corrections() };
    for (const { assetNumber, rule, period, state } of reviewed({ ...reviews, assets: [], settings })) {
      if (rule === 'gap') of(assetNumber).gaps.push(period);
      if (state === 'open') of(assetNumber).open.push(period);
    }
  }
  const separate = await store.separateAssets();
  if (separate.length > 0) for (const { assetNumber } of await store.sources(separate)) of(assetNumber).sources++;
  for (const asset of separate) of(asset).sources--;
  return { assets, changed, stalePeriods: settings['stale-periods'] };
}

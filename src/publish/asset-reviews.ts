// What an analyst asks before trusting the prices of one asset: what is in doubt about them, and which sources they come from.

import type { AssetNumber } from '../domain/asset.ts';
import type { ReviewStore } from '../store/store.ts';
import { thresholds } from './checks.ts';
import { type ReviewedFinding, reviewed } from './review.ts';
import { readOrdered, type SourceSummary, type SummaryStore, summarize } from './source-summary.ts';

export type AssetReviewsStore = SummaryStore & Pick<ReviewStore, 'findings' | 'acceptances' | 'checks'>;

export interface AssetReviews {
  /** In the order of the price rule; empty for an asset with one source and no correction. */
  readonly sources: readonly SourceSummary[];
  /** The open ones, newest last, without that of the rule `stale`, which the column of this name shows. */
  readonly open: readonly ReviewedFinding[];
}

export async function readAssetReviews(store: AssetReviewsStore, asset: AssetNumber): Promise<AssetReviews> {
  const isSeparate = (await store.sources([asset])).some(({ separate }) => separate);
  const findings = await store.findings({ assets: [asset] });
  const [acceptances, corrections] =
    findings.length === 0 ? [[], []] : [await store.acceptances(), await store.corrections([asset])];
  const all = reviewed({ findings, acceptances, corrections, assets: [], settings: await thresholds(store) });
  return {
    sources: isSeparate ? summarize(await readOrdered(store, asset, '1d')) : [],
    open: all.filter(({ state }) => state === 'open'),
  };
}

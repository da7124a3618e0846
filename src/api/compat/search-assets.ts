// The assets that a search finds, best-ranked first.

import type { Steps } from '../../common/steps.ts';
import { ASSETS } from '../../domain/datasets.ts';
import { executeInSteps } from '../../query/execute/execute.ts';
import { parsePlan } from '../../query/parse/parse-plan.ts';
import { textAt } from '../../snapshot/columns/texts.ts';
import type { IndexedAsset, Snapshot } from '../../snapshot/table.ts';
import { assetColumn } from './market.ts';

/** In ids, names and tickers. An empty text finds nothing. */
export function* searchAssets(snapshot: Snapshot, text: string, limit: number): Steps<IndexedAsset[]> {
  if (text.trim() === '') return [];
  return yield* ranked(snapshot, `q=${encodeURIComponent(text.toWellFormed())}&`, limit);
}

export function bestRankedAssets(snapshot: Snapshot, limit: number): Steps<IndexedAsset[]> {
  return ranked(snapshot, '', limit);
}

function* ranked(snapshot: Snapshot, condition: string, limit: number): Steps<IndexedAsset[]> {
  const plan = parsePlan(ASSETS, `${condition}sort=rank&order=asc`);
  const { rows } = yield* executeInSteps(plan, snapshot.tables.assets, limit);
  return [...rows].map(row => assetAt(snapshot, row));
}

/** The asset of a row in the table of assets. */
export function assetAt(snapshot: Snapshot, row: number): IndexedAsset {
  const ids = assetColumn(snapshot, 'id');
  const found = ids.kind === 'text' ? snapshot.assetIndex.byId(textAt(ids, row) ?? '') : null;
  if (found === null) throw new Error('a row of the asset list has no asset');
  return found;
}

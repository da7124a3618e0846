// Which rows of a file of facts can be stored, and of which assets they are.

import { type Day, isoFromDay } from '../../domain/day.ts';
import type { FactRow } from '../../store/store.ts';
import type { AssetRegistry } from '../asset-registry.ts';
import type { AssetRef, Reject, StatedFacts } from '../source.ts';

/** Refuses the others. `find` gives the asset that a row means, or null. */
export function acceptedFacts(
  { origin, rows }: StatedFacts,
  find: AssetRegistry['find'],
  today: Day,
  refuse: (reject: Reject) => void,
): FactRow[] {
  const accepted: FactRow[] = [];
  for (const { asset: ref, line, ...facts } of rows) {
    const where = `${origin}:${line}`;
    const asset = find(ref);
    if (facts.day > today) {
      const detail = `${isoFromDay(facts.day)} is after today, ${isoFromDay(today)}`;
      refuse({ where, reason: 'future_day', detail });
    } else if (asset === null) {
      refuse({
        where,
        reason: 'unknown_asset',
        detail: `the store has no asset with ${words(ref)}; load its prices first`,
      });
    } else accepted.push({ ...facts, assetNumber: asset.assetNumber });
  }
  return accepted;
}

function words({ id, symbol }: AssetRef): string {
  return id === null ? `the ticker ${JSON.stringify(symbol)}` : `the id ${JSON.stringify(id)}`;
}

// Which served bars the next publication has to make of those of the sources.

import type { AssetNumber } from '../../domain/asset.ts';
import { BASE_INTERVALS } from '../../domain/interval.ts';
import type { Unmerged } from '../port/store.ts';
import { run, type Steps } from './steps.ts';
import { ACTIONS, UNMERGED } from './tables.ts';

/** Marks the assets as pending, too, and with them those that they became, whose bars continue theirs. */
export function* markUnmerged(places: readonly Unmerged[]): Steps<void> {
  if (places.length === 0) return;
  const successors = yield* successorsOf(new Set(places.map(({ assetNumber }) => assetNumber)));
  const changed = places.flatMap(place =>
    successors.get(place.assetNumber)!.map(assetNumber => ({ ...place, assetNumber })),
  );
  const assets = [...new Set(changed.map(({ assetNumber }) => assetNumber))];
  const marked = new Map<string, Unmerged>();
  for (const place of [...(yield* UNMERGED.rowsOf('asset', assets)), ...changed]) {
    const key = `${place.assetNumber} ${place.interval}`;
    const before = marked.get(key);
    if (before === undefined || place.firstPeriod < before.firstPeriod) marked.set(key, place);
  }
  yield* UNMERGED.put([...marked.values()]);
  yield* run(on => on.markPending(assets));
}

/** All bars of these assets. */
export function markAllUnmerged(assets: readonly AssetNumber[]): Steps<void> {
  return markUnmerged(
    assets.flatMap(assetNumber => BASE_INTERVALS.map(interval => ({ assetNumber, interval, firstPeriod: 0 }))),
  );
}

/** Of each asset: itself, and those that it became. */
function* successorsOf(assets: ReadonlySet<AssetNumber>): Steps<Map<AssetNumber, readonly AssetNumber[]>> {
  const next = Map.groupBy(yield* ACTIONS.rows('WHERE from_asset IS NOT NULL'), ({ fromAsset }) => fromAsset);
  return new Map(
    Array.from(assets, asset => {
      const found = new Set([asset]);
      // An asset that is added while the set is looked at is looked at too.
      for (const each of found) for (const { assetNumber } of next.get(each) ?? []) found.add(assetNumber);
      return [asset, [...found]];
    }),
  );
}

// Which publications have changed bars older than the newest ones, so that what was computed from them is read again.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import type { Steps } from './steps.ts';
import { REWRITTEN, type Rewritten } from './tables.ts';

/** In the transaction of a publication, after its version was stored. */
export function* noteRewritten(version: number, changed: readonly Omit<Rewritten, 'version'>[]): Steps<void> {
  // As long as the publications themselves.
  yield* REWRITTEN.remove('WHERE version < (SELECT min(version) FROM publications)');
  if (changed.length === 0) return;
  const assets = [...new Set(changed.map(({ assetNumber }) => assetNumber))];
  const known = new Map((yield* REWRITTEN.rowsOf('asset', assets)).map(row => [placeOf(row), row.firstPeriod]));
  yield* REWRITTEN.put(
    changed.map(row => ({
      ...row,
      version,
      firstPeriod: Math.min(row.firstPeriod, known.get(placeOf(row)) ?? row.firstPeriod),
    })),
  );
}

/** As `PublicationStore.rewrittenSince`. */
export function* rewrittenSince(interval: BaseInterval, version: number): Steps<ReadonlyMap<AssetNumber, number>> {
  const rows = yield* REWRITTEN.rows('WHERE interval = $1 AND version > $2', interval, version);
  return new Map(rows.map(({ assetNumber, firstPeriod }) => [assetNumber, firstPeriod]));
}

function placeOf({ assetNumber, interval }: Pick<Rewritten, 'assetNumber' | 'interval'>): string {
  return `${assetNumber} ${interval}`;
}

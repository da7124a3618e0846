// What people say about bars (corrections, actions, acceptances), and the findings.

import type { AssetNumber } from '../../domain/asset.ts';
import type { ReviewStore, StoredAction } from '../port/store.ts';
import {
  AT_PLACE,
  MAX_PERIOD,
  PLACE_ORDER,
  recordFindings,
  replaceFindings,
  selectedFindings,
  withoutRecorded,
} from './findings.ts';
import { moveReviews } from './move-reviews.ts';
import { type Records, run } from './steps.ts';
import { storable } from './storable.ts';
import { ACCEPTANCES, ACTIONS, CHECKS, CORRECTIONS, FINDINGS } from './tables.ts';
import { markAllUnmerged, markUnmerged } from './unmerged.ts';

export function reviewStore(db: Records): ReviewStore {
  return {
    corrections: async assets => {
      const found = await db.query(() =>
        assets === undefined ? CORRECTIONS.rows('ORDER BY number') : CORRECTIONS.rowsOf('asset', assets),
      );
      return found.toSorted((a, b) => a.number - b.number);
    },

    addCorrection: correction =>
      db.write(function* () {
        const { assetNumber, interval, period } = correction;
        yield* run(on => on.requireAssets([assetNumber]));
        const [createdAt, reason] = [new Date().toISOString(), storable(correction.reason)];
        const number = yield* CORRECTIONS.add([{ ...correction, reason, createdAt, undoneAt: null }]);
        yield* markUnmerged([{ assetNumber, interval, firstPeriod: period }]);
        return number;
      }),

    undoCorrection: number =>
      db.write(function* () {
        const [found] = yield* CORRECTIONS.rows('WHERE number = $1 AND undone_at IS NULL', number);
        if (found === undefined) return null;
        yield* CORRECTIONS.update(found, { undoneAt: new Date().toISOString() });
        const { assetNumber, interval, period } = found;
        yield* markUnmerged([{ assetNumber, interval, firstPeriod: period }]);
        return found;
      }),

    actions: async () => [...(await db.query(() => ACTIONS.rows('ORDER BY number')))],

    addActions: actions =>
      db.write(function* () {
        if (actions.length === 0) return [];
        const createdAt = new Date().toISOString();
        yield* run(on => on.requireAssets(actions.flatMap(assetsOf)));
        const last = yield* ACTIONS.add(
          actions.map(action => ({ ...action, reason: storable(action.reason), createdAt })),
        );
        yield* markAllUnmerged(actions.map(({ assetNumber }) => assetNumber));
        return actions.map((_, i) => last - actions.length + 1 + i);
      }),

    removeAction: number =>
      db.write(function* () {
        const [found] = yield* ACTIONS.rows('WHERE number = $1', number);
        if (found === undefined) return null;
        yield* ACTIONS.remove('WHERE number = $1', number);
        yield* markAllUnmerged([found.assetNumber]);
        return found;
      }),

    findings: async (of = {}) => (await db.query(() => selectedFindings(of))).map(withoutRecorded),

    replaceFindings: (interval, checked) => db.write(() => replaceFindings(interval, checked)),
    recordFindings: found => db.write(() => recordFindings(found)),

    recordedFindings: async () => {
      const rows = await db.query(() => FINDINGS.rows(`WHERE recorded ${PLACE_ORDER}`));
      return rows.map(({ assetNumber, interval, period, rule, source }) => ({
        ...{ assetNumber, interval, period, rule, source },
      }));
    },

    removeRecorded: places =>
      db.write(function* () {
        for (const { assetNumber, interval, period, rule, source } of places)
          yield* FINDINGS.remove(`${AT_PLACE} AND recorded`, assetNumber, interval, period, rule, source);
        yield* run(on => on.markPending([...new Set(places.map(({ assetNumber }) => assetNumber))]));
      }),

    removeFindings: (interval, before = MAX_PERIOD) =>
      db.write(() => FINDINGS.remove('WHERE interval = $1 AND period < $2', interval, before)),

    acceptances: async () => [...(await db.query(() => ACCEPTANCES.rows(PLACE_ORDER)))],

    accept: (place, reason) =>
      db.write(function* () {
        const { assetNumber, interval, period, rule, source } = place;
        yield* run(on => on.requireAssets([assetNumber]));
        const createdAt = new Date().toISOString();
        const accepted = { assetNumber, interval, period, rule, source, reason: storable(reason), createdAt };
        yield* ACCEPTANCES.put([accepted]);
        yield* run(on => on.markPending([assetNumber]));
      }),

    removeAcceptance: place =>
      db.write(function* () {
        const { assetNumber, interval, period, rule, source } = place;
        const at = [assetNumber, interval, period, rule, storable(source)] as const;
        const [found] = yield* ACCEPTANCES.rows(AT_PLACE, ...at);
        if (found === undefined) return null;
        yield* ACCEPTANCES.remove(AT_PLACE, ...at);
        yield* run(on => on.markPending([assetNumber]));
        return found;
      }),

    checks: async () => [...(await db.query(() => CHECKS.rows('ORDER BY interval')))],
    putCheck: check => db.write(() => CHECKS.put([check])),
    checkAllLater: () =>
      db.write(function* () {
        for (const check of yield* CHECKS.rows('')) yield* CHECKS.update(check, { complete: false });
      }),
    moveReviews: (from, into, own) => db.write(() => moveReviews(from, into, own)),
    removeCheck: async interval => void (await db.write(() => CHECKS.remove('WHERE interval = $1', interval))),
  };
}

function assetsOf({ assetNumber, fromAsset }: Pick<StoredAction, 'assetNumber' | 'fromAsset'>): AssetNumber[] {
  return fromAsset === null ? [assetNumber] : [assetNumber, fromAsset];
}

// The handler of `ta-hist`: the history of one asset, computed on request.
//
// The closes come from the store, which may have published a newer version than the snapshot has. The response waits until both
// agree, so that all responses with one version agree. If that takes too long, it has the version of the store.

import { setTimeout as wait } from 'node:timers/promises';
import { TA_HIST } from '../../domain/datasets.ts';
import { chosenAsset } from '../../query/find-asset.ts';
import type { AssetChoice } from '../../query/plan.ts';
import { forgetRendered } from '../../render/page.ts';
import { Histories } from '../../snapshot/histories.ts';
import type { ServiceContext } from '../context.ts';
import type { Handler } from '../wire/answer.ts';
import { CACHE_SHARES } from './cache-shares.ts';
import { answerListing, type Source } from './listing.ts';
import { PlanCache } from './plan-cache.ts';
import { requireSnapshot } from './readiness.ts';

/** How long new data may take to reach a server. */
const PATIENCE_MS = 2000;
const RETRY_MS = 100;

export function historyHandler(context: ServiceContext): Handler {
  const histories = new Histories(context.closes, forgetRendered);
  const plans = new PlanCache(TA_HIST, context.observer, CACHE_SHARES.historyPlans * context.cacheBytes);
  /** Fingerprint of a snapshot that never agreed with the store: later requests do not wait for it again. */
  let inVain = '';

  async function settled(choice: AssetChoice): Promise<Source> {
    const patient = performance.now() + PATIENCE_MS;
    for (;;) {
      const snapshot = requireSnapshot(context);
      const { fingerprint, version } = snapshot;
      const asset = chosenAsset(snapshot.assetIndex, choice);
      const table = await histories.table(snapshot, asset);
      if (table !== null) return { fingerprint, version, table, pages: null };
      if (fingerprint === inVain || performance.now() > patient) {
        inVain = fingerprint;
        const newest = await histories.newest(asset);
        return { ...newest, fingerprint: `${fingerprint} ${newest.version}`, pages: null };
      }
      await wait(RETRY_MS);
    }
  }

  return request => {
    const began = performance.now();
    const cached = plans.read(request.query);
    const { asset: choice } = cached.plan;
    if (choice === null) throw new Error(`a plan of ${TA_HIST.name} names no asset`);
    const { assetIndex, fingerprint, version } = requireSnapshot(context);
    // The asset is looked up first, so that an unknown one is never 304. The table is computed only if its rows are needed.
    chosenAsset(assetIndex, choice);
    const source = { fingerprint, version, table: () => settled(choice), pages: null };
    return answerListing(context, request, cached, source, { began });
  };
}

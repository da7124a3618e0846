// Datasets whose rows are the days of one asset (`ta-hist`, `bars`): the table is computed on request.
//
// The bars come from the store, which may have published a newer version than the snapshot has. The response waits until both
// agree, so that all responses with one version agree. If that takes too long, it has the version of the store.

import { setTimeout as wait } from 'node:timers/promises';
import type { Steps } from '../../common/steps.ts';
import { barColumns } from '../../domain/bar.ts';
import type { Dataset } from '../../domain/datasets.ts';
import type { QuoteAsset } from '../../domain/quote.ts';
import { type AssetTableMaker, AssetTables, type SizedTable, type Turns } from '../../history/asset-tables.ts';
import type { HistoryTable } from '../../history/history-table.ts';
import { earlierOfHistory, withEarlier } from '../../query/execute/earlier-values.ts';
import { chosenAsset, requireInterval, requireQuote } from '../../query/execute/find-named.ts';
import { intervalsOf } from '../../query/parse/parse-plan.ts';
import type { AssetChoice, Plan } from '../../query/parse/plan.ts';
import { forgetRendered } from '../../render/page.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import type { ServiceContext } from '../context.ts';
import type { Endpoint, Examples } from '../endpoint.ts';
import { requireSnapshot } from '../served-snapshot.ts';
import { answerListing } from './answer.ts';
import { listingEndpoint } from './endpoint.ts';
import { planParser } from './plan-cache.ts';
import { requireBarsOfQuote, type Source } from './source.ts';

/** How long new data may take to reach a server. */
const MAX_WAIT_MS = 2000;
const RETRY_MS = 100;

/** The table of an asset, from the snapshot and the store together. */
export type AssetSource = (choice: AssetChoice, plan: AssetTerms, turns: Turns) => Promise<Source>;

/** `quote`: absent or null for dollars. */
export interface AssetTerms extends Pick<Plan, 'interval' | 'usesOptional' | 'source' | 'adjusted'> {
  readonly quote?: QuoteAsset | null;
}

export const NO_BARS = barColumns(0);

export function assetSource<Data, T extends SizedTable | HistoryTable>(
  context: ServiceContext,
  tableBytes: number,
  maker: AssetTableMaker<Data, T>,
): AssetSource {
  const tables = new AssetTables(maker, forgetRendered, tableBytes);
  /** Fingerprint of a snapshot that never agreed with the store: later requests do not wait for it again. */
  let neverAgreed = '';

  return async (choice, { interval, usesOptional, quote = null }, turns) => {
    const prepared = async (table: T) => {
      if (usesOptional && 'prepareOptional' in table) await turns.run(table.prepareOptional());
      return table;
    };
    if (quote !== null) await requireBarsOfQuote(context, quote, interval, requireSnapshot(context).version);
    const waitUntil = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const snapshot = requireSnapshot(context);
      const { fingerprint, version } = snapshot;
      const asset = chosenAsset(snapshot.assetIndex, choice);
      const table = await tables.table(snapshot, asset, interval, turns, quote?.assetNumber);
      if (table !== null) return { fingerprint, version, table: await prepared(table), pages: null };
      if (fingerprint === neverAgreed || performance.now() > waitUntil) {
        neverAgreed = fingerprint;
        const newest = await tables.newest(asset, interval, turns, quote?.assetNumber);
        return {
          ...newest,
          table: await prepared(newest.table),
          fingerprint: `${fingerprint} ${newest.version}`,
          pages: null,
        };
      }
      await wait(RETRY_MS);
    }
  };
}

/** With the values of earlier periods that it reads. */
function* plannedHistory(plan: Plan, table: Source['table']): Steps<Plan> {
  if (plan.lags.length === 0) return plan;
  if (!isHistory(table)) throw new Error(`${plan.dataset.name} has no earlier periods`);
  return withEarlier(plan, yield* earlierOfHistory(plan.lags, table));
}

function isHistory(table: Source['table']): table is HistoryTable {
  return 'earlierRows' in table;
}

export function oneAssetEndpoint(
  dataset: Dataset,
  sourceOf: (context: ServiceContext) => AssetSource,
  examples: Examples,
): Endpoint {
  return listingEndpoint(dataset, {
    parser: planParser(dataset, CACHE_SHARES.oneAssetPlans),
    examples,
    handle: context => {
      const source = sourceOf(context);
      return (request, cached) => {
        const { asset: choice } = cached.plan;
        if (choice === null) throw new Error(`a plan of ${dataset.name} names no asset`);
        const snapshot = requireSnapshot(context);
        const { assetIndex, fingerprint, version } = snapshot;
        const quote = requireQuote(snapshot, cached.plan.quote);
        const plan = quote === null ? cached.plan : { ...cached.plan, unit: quote.symbol };
        requireInterval(context.intervals(), cached.plan.interval, intervalsOf(dataset));
        // The asset is looked up first, so that an unknown one is never 304. The table is computed only if its rows are needed.
        chosenAsset(assetIndex, choice);
        const { run } = request;
        const table = async () => {
          const found = await request.slot(atTurn => source(choice, { ...plan, quote }, { run, atTurn }));
          return { ...found, plan: await run(plannedHistory(plan, found.table)) };
        };
        return answerListing(context, request, cached, { fingerprint, version, table, pages: null });
      };
    },
  });
}

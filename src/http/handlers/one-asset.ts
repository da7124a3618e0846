// The handler of a dataset whose rows are the days of one asset (`ta-hist`, `bars`): its table is computed on request.
//
// The bars come from the store, which may have published a newer version than the snapshot has. The response waits until both
// agree, so that all responses with one version agree. If that takes too long, it has the version of the store.

import { setTimeout as wait } from 'node:timers/promises';
import { barColumns } from '../../domain/bar.ts';
import { BARS, type Dataset, TA_HIST } from '../../domain/datasets.ts';
import { type AssetTableMaker, AssetTables, type Turns } from '../../history/asset-tables.ts';
import { barsTable } from '../../history/bars-table.ts';
import { BenchmarkSeries } from '../../history/benchmark-series.ts';
import { type HistoryTable, historyTableInSteps } from '../../history/history-table.ts';
import { barsInParts } from '../../history/read-in-parts.ts';
import { chosenAsset } from '../../query/execute/find-asset.ts';
import type { AssetChoice, Plan } from '../../query/parse/plan.ts';
import { forgetRendered } from '../../render/page.ts';
import type { Table } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import type { Handler } from '../wire/answer.ts';
import { CACHE_SHARES } from './cache-shares.ts';
import { answerListing, type Source } from './listing.ts';
import { PlanCache } from './plan-cache.ts';
import { requireSnapshot } from './readiness.ts';

/** How long new data may take to reach a server. */
const PATIENCE_MS = 2000;
const RETRY_MS = 100;

const NO_BARS = barColumns(0);

/** The table of an asset, from the snapshot and the store together. */
export type AssetSource = (
  choice: AssetChoice,
  plan: Pick<Plan, 'interval' | 'usesOptional'>,
  turns: Turns,
) => Promise<Source>;

export function historySource(context: ServiceContext): AssetSource {
  const benchmarks = new BenchmarkSeries(context.closes);
  return assetSource(context, context.historyBytes, {
    async read(atTurn, ...asked) {
      const wanted = asked[3];
      for (;;) {
        const { version, bars } = await barsInParts(context.bars, asked, atTurn);
        const benchmark = bars && (await benchmarks.of(version, requireSnapshot(context)));
        if (benchmark !== null) return { version, data: { bars: bars ?? NO_BARS, series: benchmark.series } };
        if (wanted !== undefined) return { version, data: null };
        // Another version was published between the two.
      }
    },
    none: { bars: NO_BARS, series: null },
    make: (symbol, { bars, series }) => historyTableInSteps(symbol, bars, series),
  });
}

export function historyHandler(context: ServiceContext, source: AssetSource): Handler {
  return oneAssetHandler(context, TA_HIST, source);
}

export function barsHandler(context: ServiceContext): Handler {
  const source = assetSource(context, context.barsBytes, {
    async read(atTurn, ...asked) {
      const { version, bars } = await barsInParts(context.bars, asked, atTurn);
      return { version, data: bars };
    },
    none: NO_BARS,
    *make(_, bars, interval) {
      yield;
      return barsTable(bars, interval ?? '1d');
    },
  });
  return oneAssetHandler(context, BARS, source);
}

function assetSource<Data, T extends Table | HistoryTable>(
  context: ServiceContext,
  tableBytes: number,
  maker: AssetTableMaker<Data, T>,
): AssetSource {
  const tables = new AssetTables(maker, forgetRendered, tableBytes);
  /** Fingerprint of a snapshot that never agreed with the store: later requests do not wait for it again. */
  let inVain = '';

  return async (choice, { interval, usesOptional }, turns) => {
    const prepared = async (table: T) => {
      if (usesOptional && 'prepareOptional' in table) await turns.run(table.prepareOptional());
      return table;
    };
    const patient = performance.now() + PATIENCE_MS;
    for (;;) {
      const snapshot = requireSnapshot(context);
      const { fingerprint, version } = snapshot;
      const asset = chosenAsset(snapshot.assetIndex, choice);
      const table = await tables.table(snapshot, asset, interval, turns);
      if (table !== null) return { fingerprint, version, table: await prepared(table), pages: null };
      if (fingerprint === inVain || performance.now() > patient) {
        inVain = fingerprint;
        const newest = await tables.newest(asset, interval, turns);
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

function oneAssetHandler(context: ServiceContext, dataset: Dataset, source: AssetSource): Handler {
  const plans = new PlanCache(dataset, context.observer, CACHE_SHARES.oneAssetPlans * context.cacheBytes);
  return request => {
    const began = performance.now();
    const cached = plans.read(request.query);
    const { asset: choice } = cached.plan;
    if (choice === null) throw new Error(`a plan of ${dataset.name} names no asset`);
    const { assetIndex, fingerprint, version } = requireSnapshot(context);
    // The asset is looked up first, so that an unknown one is never 304. The table is computed only if its rows are needed.
    chosenAsset(assetIndex, choice);
    const table = () => request.slot(atTurn => source(choice, cached.plan, { run: request.run, atTurn }));
    return answerListing(context, request, cached, { fingerprint, version, table, pages: null }, { began });
  };
}

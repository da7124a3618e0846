// The data of a store for the tools, in this process: no server is needed.

import { finish } from '../common/steps.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { TA_CUR } from '../domain/datasets.ts';
import { baseOf, type Interval, LISTED_INTERVALS, type ListedInterval } from '../domain/interval.ts';
import { servedIntervals } from '../domain/served-intervals.ts';
import { ApiError } from '../errors.ts';
import { BenchmarkSeries } from '../history/benchmark-series.ts';
import { factsInQuote } from '../history/fact-history.ts';
import { historyTable } from '../history/history-table.ts';
import { pastSnapshot } from '../history/past-snapshot.ts';
import { PublishedHistories } from '../history/published-series.ts';
import type { ToolData } from '../mcp/tool.ts';
import { readAssetReviews } from '../publish/asset-reviews.ts';
import { addOptionalColumns } from '../publish/upgrade-rows.ts';
import { earlierOfListing } from '../query/execute/earlier-values.ts';
import { noBarsOfQuote, requireInterval, requireQuote, requireReached } from '../query/execute/find-named.ts';
import type { RowValues } from '../query/expression/nodes.ts';
import { SnapshotFeed } from '../serve/feed.ts';
import { hasOptional, type IndexedAsset, type Snapshot, type Table } from '../snapshot/table.ts';
import type { Store } from '../store/store.ts';

export interface LocalToolData extends ToolData {
  /** Looks for newer data in the store. */
  refresh(): Promise<void>;
}

export function localToolData(
  store: Store,
  { group, simulated }: Pick<ToolData, 'group' | 'simulated'>,
): LocalToolData {
  const rethrow = (error: unknown) => {
    throw error;
  };
  const feed = new SnapshotFeed(store, { onSnapshot: () => {}, onFailure: rethrow });
  const snapshot = (): Snapshot => {
    if (feed.current !== null) return feed.current;
    throw new ApiError('no_data', "The store holds no prices yet. Load some: 'tidemark ingest csv FILE'.");
  };
  return {
    group,
    simulated,
    fingerprint: () => feed.current?.fingerprint ?? '',
    snapshot,
    async listing({ interval, quote: name, asOf: day, usesOptional: optional, inactive, lags }) {
      if (day !== null) requireReached(day, Date.now(), interval);
      await requireStored(store, interval);
      // Listings have no months.
      const quote = await quoteIn(store, snapshot(), name, interval);
      const past = { interval: interval as ListedInterval, day, optional, inactive, quote };
      const isCurrent = day === null && !inactive && interval === '1d' && quote === null;
      if (isCurrent && optional && !hasOptional(snapshot())) {
        await addOptionalColumns(store);
        await feed.refresh();
      }
      const listed = isCurrent ? snapshot() : await pastSnapshot(store, past);
      const earlier: [string, RowValues][] = [];
      for (const [lag, same] of Map.groupBy(lags, ({ periods }) => periods)) {
        earlier.push(...finish(earlierOfListing(same, listed, await pastSnapshot(store, { ...past, lag }))));
      }
      return { table: listed.tables[TA_CUR.name], earlier: new Map(earlier) };
    },
    async history(asset, { interval, quote: name } = { interval: '1d', quote: null, usesOptional: false }) {
      await requireStored(store, interval);
      const quote = await quoteIn(store, snapshot(), name, interval);
      return historyOf(store, asset, interval as ListedInterval, snapshot(), quote); // histories have no months
    },
    profile: ({ assetNumber }) => store.profile(assetNumber),
    reviews: ({ assetNumber }) => readAssetReviews(store, assetNumber),
    async refresh() {
      await feed.refresh();
    },
  };
}

async function quoteIn(
  store: Store,
  snapshot: Snapshot,
  name: string | null,
  interval: Interval,
): Promise<AssetNumber | null> {
  const quote = requireQuote(snapshot, name);
  if (quote === null) return null;
  const { span } = await new PublishedHistories(base => store.series(base)).span(quote, interval);
  if (span === null) throw noBarsOfQuote(quote, interval);
  return quote.assetNumber;
}

async function requireStored(store: Store, interval: Interval): Promise<void> {
  if (baseOf(interval) === '1d') return;
  requireInterval(servedIntervals(await store.intervals()), interval, LISTED_INTERVALS);
}

async function historyOf(
  store: Store,
  asset: IndexedAsset,
  interval: ListedInterval,
  snapshot: Snapshot,
  quote: AssetNumber | null,
): Promise<Table> {
  const { id, symbol, firstDay, lastDay } = asset;
  const none = new ApiError('no_close', `${id} has no prices.`);
  if (firstDay === null || lastDay === null) throw none;
  return store.readConsistently(async view => {
    const histories = new PublishedHistories(base => view.series(base));
    const { version, data: bars } = await histories.inQuote(quote).bars(asset, interval, undefined, null);
    if (bars === null) throw none;
    const benchmark = await new BenchmarkSeries(histories).of(version, snapshot, interval, quote);
    const facts = factsInQuote(await view.factsOf(asset.assetNumber), quote);
    return historyTable(symbol, bars, benchmark?.series ?? null, interval, facts);
  });
}

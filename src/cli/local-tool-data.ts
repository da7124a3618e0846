// The data of a store for the tools, in this process: no server is needed.

import { ApiError } from '../errors.ts';
import { requireReached } from '../http/handlers/listing.ts';
import type { ToolData } from '../mcp/tool.ts';
import { SnapshotFeed } from '../serve/feed.ts';
import type { IndexedAsset } from '../snapshot/asset-index.ts';
import { historyTable } from '../snapshot/history-table.ts';
import { pastSnapshot } from '../snapshot/past-snapshot.ts';
import type { Snapshot, Table } from '../snapshot/table.ts';
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
    table(name, day) {
      if (day === null) return snapshot().tables[name];
      requireReached(day, Date.now());
      return pastSnapshot(store, day).then(past => past.tables[name]);
    },
    history: asset => historyOf(store, asset),
    profile: ({ key }) => store.profile(key),
    async refresh() {
      await feed.refresh();
    },
  };
}

async function historyOf(store: Store, { id, key, symbol, firstDay, lastDay }: IndexedAsset): Promise<Table> {
  const none = new ApiError('no_close', `${id} has no prices.`);
  if (firstDay === null || lastDay === null) throw none;
  const { closes } = await store.publishedCloses(key, firstDay, lastDay);
  if (closes === null) throw none;
  return historyTable(symbol, closes);
}

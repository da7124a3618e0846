// A snapshot on its way to other threads: `postMessage` copies the description, and the tables stay in shared memory.

import { type ByDataset, byDataset } from '../by-dataset.ts';
import { SharedAssetIndex } from '../indexes/shared-asset-index.ts';
import type { SharedSnapshot } from './builder.ts';
import { attachTable, type TableDescriptor } from './shared-table.ts';

export interface SnapshotDescriptor
  extends Pick<SharedSnapshot, 'version' | 'fingerprint' | 'builtAt' | 'indexData' | 'listed' | 'benchmark' | 'fiats'> {
  readonly tables: ByDataset<TableDescriptor>;
}

export function describeSnapshot(snapshot: SharedSnapshot): SnapshotDescriptor {
  const { version, fingerprint, builtAt, indexData, listed, benchmark, fiats, tables } = snapshot;
  return {
    version,
    fingerprint,
    builtAt,
    indexData,
    listed,
    benchmark,
    fiats,
    tables: byDataset(name => tables[name].descriptor),
  };
}

export function attachSnapshot(descriptor: SnapshotDescriptor): SharedSnapshot {
  const tables = byDataset((name, dataset) => attachTable(dataset, descriptor.tables[name]));
  return { ...descriptor, tables, assetIndex: new SharedAssetIndex(descriptor.indexData, tables.assets) };
}

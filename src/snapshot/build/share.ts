// A snapshot in shared memory, and its way to other threads: `postMessage` copies the description, and the tables stay in shared memory.

import { type AssetIndexData, SharedAssetIndex } from '../indexes/shared-asset-index.ts';
import { type ByDataset, byDataset, bytesOfColumns, type Snapshot } from '../table.ts';
import { attachTable, type SharedTable, type TableDescriptor } from './shared-table.ts';

export interface SharedSnapshot extends Snapshot {
  readonly tables: ByDataset<SharedTable>;
  readonly indexData: AssetIndexData;
}

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

export function bytesOfSnapshot({ tables, indexData }: SnapshotDescriptor): number {
  const perTable = Object.values(tables).map(
    ({ columns, history, ...indexes }) => bytesOfColumns(columns) + history.byteLength + bytesIn(indexes),
  );
  return perTable.reduce((sum, bytes) => sum + bytes, indexData.assetNumbers.byteLength);
}

/** Of all arrays in an object. */
function bytesIn(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + bytesIn(member), 0);
}

// A snapshot on its way to other threads: `postMessage` takes the description, and the memory of the tables stays where it is.

import type { SharedSnapshot } from './builder.ts';
import { SharedAssetIndex } from './shared-asset-index.ts';
import { attachTable, describeTable, type TableDescriptor } from './shared-table.ts';

export interface SnapshotDescriptor extends Pick<SharedSnapshot, 'version' | 'fingerprint' | 'builtAt' | 'indexData'> {
  readonly listing: TableDescriptor;
  readonly assets: TableDescriptor;
}

export function describeSnapshot(snapshot: SharedSnapshot): SnapshotDescriptor {
  const { version, fingerprint, builtAt, indexData, listing, assets } = snapshot;
  return { version, fingerprint, builtAt, indexData, listing: describeTable(listing), assets: describeTable(assets) };
}

export function attachSnapshot(descriptor: SnapshotDescriptor): SharedSnapshot {
  const [listing, assets] = [attachTable(descriptor.listing), attachTable(descriptor.assets)];
  return { ...descriptor, listing, assets, assetIndex: new SharedAssetIndex(descriptor.indexData, assets) };
}

// Builds a snapshot from published rows, and the next snapshot from one and the changes since.

import { type QualityStore, readQuality } from '../../publish/read-quality.ts';
import type { StoreView } from '../../store/store.ts';
import { type FactColumns, joinFacts, packFacts } from '../columns/fact-columns.ts';
import type { Snapshot } from '../table.ts';
import { type SnapshotBasis, SnapshotBuilder, type SnapshotInput } from './builder.ts';
import type { SharedSnapshot } from './share.ts';

const builders = new WeakMap<Snapshot, SnapshotBuilder>();

export function buildSnapshot(input: SnapshotInput): SharedSnapshot {
  return built(new SnapshotBuilder(), { ...input, all: true });
}

/** Everything that a snapshot is built from. */
export interface StoreContent {
  /** Of the facts. */
  readonly factsVersion: number;
  build(basis: Omit<SnapshotBasis, 'version' | 'columns'>): SharedSnapshot;
}

/** Reads a store in parts, of which only columns are kept: faster and in less memory than with an object per asset and row. */
export async function readContent(
  view: Pick<StoreView, 'readAssetsSince' | 'readCurrentSince'> & QualityStore,
): Promise<StoreContent> {
  const builder = new SnapshotBuilder();
  const parts: FactColumns[] = [];
  const facts = await view.readAssetsSince(0, assets => parts.push(packFacts(assets)));
  builder.begin(joinFacts(parts));
  const { version, columns } = await view.readCurrentSince(0, rows => builder.addRows(rows));
  const quality = await readQuality(view);
  return {
    factsVersion: facts.version,
    build(basis) {
      const snapshot = builder.finish({ ...basis, version, columns, quality });
      builders.set(snapshot, builder);
      return snapshot;
    },
  };
}

/**
 * The snapshot after `previous`, given the rows that changed since: equal to one built from everything, but faster. `previous` must
 * be the newest snapshot of its builder and built in this thread, because the builder's state is reused.
 */
export function updateSnapshot(previous: Snapshot, changes: SnapshotInput): SharedSnapshot {
  const builder = builders.get(previous);
  if (builder?.current !== previous) throw new Error('only the newest snapshot can be updated, where it was built');
  return built(builder, { ...changes, all: false });
}

/** To be called once the snapshot is published: the next one that changes few rows is then built in a fraction of the time. */
export function prepareUpdate(snapshot: Snapshot): void {
  const builder = builders.get(snapshot);
  if (builder?.current === snapshot) builder.prepare();
}

function built(builder: SnapshotBuilder, changes: SnapshotInput & { readonly all: boolean }): SharedSnapshot {
  const snapshot = builder.apply(changes);
  builders.set(snapshot, builder);
  return snapshot;
}

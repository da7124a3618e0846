// Builds a snapshot from published rows, and the next snapshot from one and the changes since.

import { type SharedSnapshot, SnapshotBuilder, type SnapshotInput } from './builder.ts';
import type { Snapshot } from './table.ts';

const builders = new WeakMap<Snapshot, SnapshotBuilder>();

export function buildSnapshot(input: SnapshotInput): SharedSnapshot {
  return built(new SnapshotBuilder(), { ...input, all: true });
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

// From what a store has published to a snapshot, and from one snapshot to the next.

import { type SharedSnapshot, SnapshotBuilder, type SnapshotInput } from './builder.ts';
import type { Snapshot } from './table.ts';

const builders = new WeakMap<Snapshot, SnapshotBuilder>();

export function buildSnapshot(input: SnapshotInput): SharedSnapshot {
  return built(new SnapshotBuilder(), { ...input, all: true });
}

/**
 * The snapshot after `previous`, given the rows that changed since: the same as one built from everything, but sooner.
 * `previous` must be the newest of its line and made in this thread, because what it was built from is handed on.
 */
export function updateSnapshot(previous: Snapshot, changes: SnapshotInput): SharedSnapshot {
  const builder = builders.get(previous);
  if (builder?.current !== previous) throw new Error('only the newest snapshot can be updated, where it was built');
  return built(builder, { ...changes, all: false });
}

function built(builder: SnapshotBuilder, changes: SnapshotInput & { readonly all: boolean }): SharedSnapshot {
  const snapshot = builder.apply(changes);
  builders.set(snapshot, builder);
  return snapshot;
}

// The difference between two pages of one query, by the numbers of the assets and the versions of their rows.

import type { Snapshot } from '../snapshot/table.ts';

export interface ShownPage {
  readonly snapshot: Snapshot;
  /** Row numbers of the listing, in the order of the page. */
  readonly rows: Uint32Array;
}

/** Row numbers: of the page before for `left`, of the page after for the others. */
export interface RowChanges {
  readonly entered: Uint32Array;
  readonly left: Uint32Array;
  /** On both pages, and published again in between. */
  readonly changed: Uint32Array;
}

export function rowChanges(before: ShownPage, after: ShownPage): RowChanges {
  const known = before.snapshot.listed.keys;
  const { keys, versions } = after.snapshot.listed;
  const gone = new Map<number, number>();
  for (const row of before.rows) gone.set(known[row]!, row);
  const entered: number[] = [];
  const changed: number[] = [];
  for (const row of after.rows) {
    if (!gone.delete(keys[row]!)) entered.push(row);
    else if (versions[row]! > before.snapshot.version) changed.push(row);
  }
  return {
    entered: Uint32Array.from(entered),
    left: Uint32Array.from(gone.values()),
    changed: Uint32Array.from(changed),
  };
}

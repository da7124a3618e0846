// Holds the current snapshot. A request reads it once and uses it to its end; a new snapshot replaces it atomically.

import type { Snapshot } from './table.ts';

export class SnapshotHolder {
  #current: Snapshot | null = null;

  get current(): Snapshot | null {
    return this.#current;
  }

  swap(next: Snapshot): void {
    this.#current = next;
  }
}

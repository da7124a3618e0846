// Holds the snapshot that is being served. Requests take it once and keep it; a new one replaces it in one step.

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

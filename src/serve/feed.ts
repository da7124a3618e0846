// Keeps the snapshot in step with the store: asks for the version, and builds a new snapshot aside when it has changed.

import { dayOfMillis } from '../domain/day.ts';
import { buildSnapshot, updateSnapshot } from '../snapshot/build.ts';
import type { SharedSnapshot } from '../snapshot/builder.ts';
import type { Store } from '../store/store.ts';

export interface FeedEvents {
  /** A new snapshot takes the place of the one before. */
  readonly onSnapshot: (snapshot: SharedSnapshot, buildMs: number) => void;
  /** The store was asked, whether there was something new or not. */
  readonly onLooked?: () => void;
  /** The store could not be asked; the old snapshot goes on. */
  readonly onFailure?: (error: unknown) => void;
}

export class SnapshotFeed {
  readonly #store: Store;
  readonly #events: FeedEvents;
  readonly #now: () => number;

  #current: SharedSnapshot | null = null;

  constructor(store: Store, events: FeedEvents, now: () => number = Date.now) {
    this.#store = store;
    this.#events = events;
    this.#now = now;
  }

  get current(): SharedSnapshot | null {
    return this.#current;
  }

  /** Looks once; true when there is a new snapshot. */
  async refresh(): Promise<boolean> {
    try {
      const isNew = await this.#refresh();
      this.#events.onLooked?.();
      return isNew;
    } catch (error) {
      this.#events.onFailure?.(error);
      return false;
    }
  }

  async #refresh(): Promise<boolean> {
    const previous = this.#current;
    const version = await this.#store.version();
    const now = this.#now();
    // What is new or active depends on the day, not only on the data.
    const sameDay = previous !== null && dayOfMillis(previous.builtAt) === dayOfMillis(now);
    if (version === 0 || (previous?.version === version && sameDay)) return false;
    const began = performance.now();
    const changes = await this.#store.currentSince(previous?.version ?? 0);
    const assets = await this.#store.assets();
    const next =
      previous === null || changes.all
        ? buildSnapshot({ version: changes.version, assets, rows: changes.rows, now })
        : updateSnapshot(previous, { version: changes.version, assets, rows: changes.rows, now });
    this.#current = next;
    this.#events.onSnapshot(next, performance.now() - began);
    return true;
  }
}

// Keeps the snapshot in step with the store: asks for the version, and builds a new snapshot aside when it has changed.

import { dayOfMillis } from '../domain/day.ts';
import { buildSnapshot, updateSnapshot } from '../snapshot/build.ts';
import type { SnapshotHolder } from '../snapshot/holder.ts';
import type { Store } from '../store/store.ts';

export interface FeedEvents {
  /** A new snapshot is being served. */
  readonly onSnapshot?: (version: number, rows: number, millis: number) => void;
  /** The store could not be asked; the old snapshot goes on. */
  readonly onFailure?: (error: unknown) => void;
}

export class SnapshotFeed {
  readonly #store: Store;
  readonly #holder: SnapshotHolder;
  readonly #events: FeedEvents;
  readonly #now: () => number;

  constructor(store: Store, holder: SnapshotHolder, events: FeedEvents = {}, now: () => number = Date.now) {
    this.#store = store;
    this.#holder = holder;
    this.#events = events;
    this.#now = now;
  }

  /** Looks once; true when there is a new snapshot. */
  async refresh(): Promise<boolean> {
    try {
      return await this.#refresh();
    } catch (error) {
      this.#events.onFailure?.(error);
      return false;
    }
  }

  async #refresh(): Promise<boolean> {
    const previous = this.#holder.current;
    const version = await this.#store.version();
    const now = this.#now();
    // What is new or active depends on the day, not only on the data.
    const sameDay = previous !== null && dayOfMillis(previous.builtAt) === dayOfMillis(now);
    if (version === 0 || (previous?.version === version && sameDay)) return false;
    const began = performance.now();
    // Of one moment, also where a standby takes over from the primary in between.
    const { changes, assets } = await this.#store.atOneMoment(async view => ({
      changes: await view.currentSince(previous?.version ?? 0),
      assets: await view.assets(),
    }));
    const next =
      previous === null || changes.all
        ? buildSnapshot({ version: changes.version, assets, rows: changes.rows, now })
        : updateSnapshot(previous, { version: changes.version, assets, rows: changes.rows, now });
    this.#holder.swap(next);
    this.#events.onSnapshot?.(next.version, next.listing.rows, performance.now() - began);
    return true;
  }
}

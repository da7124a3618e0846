// Keeps the snapshot in step with the store: asks for the version, and builds a new snapshot aside when it has changed.

import { ACTIVE_DAYS } from '../domain/asset-state.ts';
import { dayOfMillis } from '../domain/day.ts';
import { readQuality } from '../publish/read-quality.ts';
import { buildSnapshot, prepareUpdate, readContent, updateSnapshot } from '../snapshot/build/build.ts';
import type { SharedSnapshot } from '../snapshot/build/share.ts';
import { emptied, type Store } from '../store/store.ts';

export interface FeedEvents {
  /** A new snapshot takes the place of the one before. */
  readonly onSnapshot: (snapshot: SharedSnapshot, buildMs: number) => void;
  /** The store could be asked, and what is served is what it held at this time, in milliseconds since 1970. */
  readonly onConfirmed?: (at: number) => void;
  /** The store could not be asked; the old snapshot goes on. */
  readonly onFailure?: (error: unknown) => void;
}

type AskedStore = Pick<Store, 'version' | 'readConsistently'>;

export class SnapshotFeed {
  readonly #store: AskedStore;
  readonly #events: FeedEvents;
  readonly #now: () => number;
  readonly #activeDays: number;
  /** Of the facts that the snapshot has. */
  #factsVersion = 0;

  #current: SharedSnapshot | null = null;

  constructor(store: AskedStore, events: FeedEvents, now: () => number = Date.now, activeDays = ACTIVE_DAYS) {
    this.#store = store;
    this.#events = events;
    this.#now = now;
    this.#activeDays = activeDays;
  }

  get current(): SharedSnapshot | null {
    return this.#current;
  }

  /** Looks once; true when there is a new snapshot. */
  async refresh(): Promise<boolean> {
    try {
      const asked = this.#now();
      const isNew = await this.#refresh();
      this.#events.onConfirmed?.(asked);
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
    if (version === 0 && previous !== null) throw emptied();
    if (version === 0 || (previous?.version === version && sameDay)) return false;
    const began = performance.now();
    if (previous === null) {
      const content = await this.#store.readConsistently(readContent);
      const next = content.build({ now, activeDays: this.#activeDays });
      this.#serve(next, content.factsVersion, performance.now() - began);
      return true;
    }
    // Of one moment, also where a standby takes over from the primary in between.
    const { changes, facts, quality } = await this.#store.readConsistently(async view => {
      const rows = await view.currentSince(previous.version);
      const facts = await view.assetsSince(rows.all ? 0 : this.#factsVersion);
      return { changes: rows, facts, quality: await readQuality(view, rows.all ? undefined : rows.rows) };
    });
    const input = {
      version: changes.version,
      assets: facts.assets,
      someAssets: !facts.all,
      rows: changes.rows,
      columns: changes.columns,
      quality,
      now,
      activeDays: this.#activeDays,
    };
    const next = changes.all ? buildSnapshot(input) : updateSnapshot(previous, input);
    this.#serve(next, facts.version, performance.now() - began);
    return true;
  }

  #serve(snapshot: SharedSnapshot, factsVersion: number, buildMs: number): void {
    this.#factsVersion = factsVersion;
    this.#current = snapshot;
    this.#events.onSnapshot(snapshot, buildMs);
    // The serving threads go first.
    setImmediate(() => {
      try {
        prepareUpdate(snapshot);
      } catch (error) {
        // The next snapshot is built without it, and says what is wrong.
        this.#events.onFailure?.(error);
      }
    });
  }
}

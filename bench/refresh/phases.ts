// One refresh, phase by phase: from bars that are handed to the store to the snapshot that shows them.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { SnapshotFeed } from '../../src/serve/feed.ts';
import type { Snapshot } from '../../src/snapshot/table.ts';
import type { Store, StoredBars } from '../../src/store/store.ts';

export const PHASES = ['bars stored', 'rows computed, published', 'rows read', 'snapshot built'] as const;
/** Milliseconds of each phase. */
export type Refresh = Readonly<Record<(typeof PHASES)[number], number>>;

export function totalOf(refresh: Refresh): number {
  return PHASES.reduce((sum, phase) => sum + refresh[phase], 0);
}

/** A loader and a server in one process, on one store. */
export class RefreshLine {
  readonly holder: { current: Snapshot | null } = { current: null };
  readonly #spent = new Map<keyof Store, number>();
  readonly #store: Store;
  readonly #feed: SnapshotFeed;

  constructor(store: Store) {
    this.#store = this.#timed(store, ['readConsistently', 'version']);
    const onFailure = (error: unknown) => {
      throw error;
    };
    this.#feed = new SnapshotFeed(this.#store, { onSnapshot: snapshot => (this.holder.current = snapshot), onFailure });
  }

  async start(): Promise<void> {
    await this.#feed.refresh();
  }

  async refresh(bars: StoredBars): Promise<Refresh> {
    // A server prepares for the next close after each one.
    await nextTurn();
    this.#spent.clear();
    const began = performance.now();
    await this.#store.putBars(bars);
    const stored = performance.now();
    await recomputePending(this.#store);
    const published = performance.now();
    const askedBefore = this.#asked();
    if (!(await this.#feed.refresh())) throw new Error('nothing was published');
    const built = performance.now();
    const read = this.#asked() - askedBefore;
    return {
      'bars stored': stored - began,
      'rows computed, published': published - stored,
      'rows read': read,
      'snapshot built': built - published - read,
    };
  }

  #asked(): number {
    return (this.#spent.get('readConsistently') ?? 0) + (this.#spent.get('version') ?? 0);
  }

  /** The same store, adding up the time until these methods answer. */
  #timed(store: Store, names: readonly ('readConsistently' | 'version')[]): Store {
    const wrapped = names.map(name => {
      const method = async (...args: unknown[]): Promise<unknown> => {
        const began = performance.now();
        // Passed on as they came.
        const answer = await (store[name] as (...same: unknown[]) => Promise<unknown>)(...args);
        this.#spent.set(name, (this.#spent.get(name) ?? 0) + performance.now() - began);
        return answer;
      };
      return [name, method] as const;
    });
    return { ...store, ...Object.fromEntries(wrapped) };
  }
}

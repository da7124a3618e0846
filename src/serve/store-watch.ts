// Whether the store can be used. It is asked several times a second, so a failure is told of once, and so is its end.

import type { ServiceEvent } from '../observe/events.ts';
import type { Figures } from '../observe/figures.ts';

/** What the store is used for; one can fail where another works, as writing does when a disk is full. */
export type StoreUse = 'data' | 'keys' | 'counting requests' | 'the list of loads';

export class StoreWatch {
  readonly #figures: Figures;
  readonly #tell: (event: ServiceEvent) => void;
  readonly #lostSince = new Map<StoreUse, number>();

  constructor(figures: Figures, tell: (event: ServiceEvent) => void) {
    this.#figures = figures;
    this.#tell = tell;
  }

  worked(use: StoreUse): void {
    const since = this.#lostSince.get(use);
    if (since !== undefined) {
      this.#lostSince.delete(use);
      this.#tell({ event: 'store_back', doing: use, seconds: (performance.now() - since) / 1000 });
    }
    this.#figures.set('storeUp', this.#lostSince.size === 0 ? 1 : 0);
  }

  failed(use: StoreUse, error: unknown): void {
    this.#figures.add('storeFailures');
    this.#figures.set('storeUp', 0);
    if (this.#lostSince.has(use)) return;
    this.#lostSince.set(use, performance.now());
    this.#tell({ event: 'store_lost', doing: use, reason: error instanceof Error ? error.message : String(error) });
  }

  /** The work, which never fails from here on. */
  guard(use: StoreUse, work: () => Promise<void>): () => Promise<void> {
    return () =>
      work().then(
        () => this.worked(use),
        error => this.failed(use, error),
      );
  }
}

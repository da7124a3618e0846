// Whether the store can be used. It is asked several times a second, so a failure is told of once, and so is its end.

import type { ServiceEvent } from '../observe/events.ts';
import type { Figures } from '../observe/figures.ts';
import { StoreError } from '../store/store.ts';

/** What the store is used for; one can fail where another works, as writing does when a disk is full. */
export type StoreUse = 'data' | 'keys' | 'counting requests' | 'the list of loads' | 'profiles and histories';

export class StoreWatch {
  readonly #tell: (event: ServiceEvent) => void;
  readonly #figures: Figures | null;
  readonly #lostSince = new Map<StoreUse, number>();

  /** Without figures in a serving thread: that the store is back it would learn with the next question only. */
  constructor(tell: (event: ServiceEvent) => void, figures: Figures | null = null) {
    this.#tell = tell;
    this.#figures = figures;
  }

  worked(use: StoreUse): void {
    const since = this.#lostSince.get(use);
    if (since !== undefined) {
      this.#lostSince.delete(use);
      this.#tell({ event: 'store_back', doing: use, seconds: (performance.now() - since) / 1000 });
    }
    this.#figures?.set('storeUp', this.#lostSince.size === 0 ? 1 : 0);
  }

  failed(use: StoreUse, error: unknown): void {
    this.#figures?.add('storeFailures');
    this.#figures?.set('storeUp', 0);
    if (this.#lostSince.has(use)) return;
    this.#lostSince.set(use, performance.now());
    this.#tell({ event: 'store_lost', doing: use, reason: reasonOf(error) });
  }
}

/** With what to do about it, where that is known. */
export function reasonOf(error: unknown): string {
  if (error instanceof StoreError) return `${error.message}; ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

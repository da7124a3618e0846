// Whether the store can be used. It is queried several times per second, so the log reports a failure once, and its end once.

import type { ServiceEvent } from '../observe/events.ts';
import type { SharedMetrics } from '../observe/shared-metrics.ts';
import { StoreError } from '../store/store.ts';

/** What the store is used for; one use can fail while another works, such as writing when a disk is full. */
export type StoreUse = 'data' | 'keys' | 'counting requests' | 'the list of loads' | 'profiles and histories';

export class StoreWatch {
  readonly #tell: (event: ServiceEvent) => void;
  readonly #metrics: SharedMetrics;
  readonly #saysUp: boolean;
  readonly #lostSince = new Map<StoreUse, number>();

  /** `saysUp`: false in a serving thread, which counts its failures, but learns only with its next query that the store is back. */
  constructor(tell: (event: ServiceEvent) => void, metrics: SharedMetrics, { saysUp = true } = {}) {
    this.#tell = tell;
    this.#metrics = metrics;
    this.#saysUp = saysUp;
  }

  worked(use: StoreUse): void {
    const since = this.#lostSince.get(use);
    if (since !== undefined) {
      this.#lostSince.delete(use);
      const seconds = Math.round(performance.now() - since) / 1000;
      this.#tell({ event: 'store_reachable', doing: use, seconds });
    }
    this.#showUp();
  }

  failed(use: StoreUse, error: unknown): void {
    this.#metrics.add('storeFailures');
    if (this.#lostSince.has(use)) return;
    this.#lostSince.set(use, performance.now());
    this.#showUp();
    this.#tell({ event: 'store_unreachable', doing: use, reason: reasonOf(error) });
  }

  #showUp(): void {
    if (this.#saysUp) this.#metrics.set('storeUp', this.#lostSince.size === 0 ? 1 : 0);
  }
}

/** With what to do about it, if known. */
export function reasonOf(error: unknown): string {
  if (error instanceof StoreError) return `${error.message}; ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

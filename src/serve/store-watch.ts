// Whether the store can be used. It is queried several times per second, so the log reports a failure once, and its end once.

import type { ServiceEvent } from '../observe/events.ts';
import type { SharedMetrics } from '../observe/shared-metrics.ts';
import { StoreError } from '../store/store.ts';

/** What the store is used for; one use can fail while another works, such as writing when a disk is full. */
export type StoreUse =
  | 'data'
  | 'keys'
  | 'counting requests'
  | 'the list of loads'
  | 'profiles and histories'
  | 'alerts'
  | 'the newest ticks'
  | 'the intervals';

export interface StoreWatchOptions {
  /** False in a serving thread, which counts its failures, but learns only with its next query that the store is back. */
  readonly saysUp?: boolean;
  /** A use works again after this long without a failure: while one node of a store is down, some answers fail and others do not. */
  readonly settleMs?: number;
  readonly now?: () => number;
}

export class StoreWatch {
  readonly #onEvent: (event: ServiceEvent) => void;
  readonly #metrics: SharedMetrics;
  readonly #saysUp: boolean;
  readonly #settleMs: number;
  readonly #now: () => number;
  readonly #lost = new Map<StoreUse, { readonly since: number; last: number }>();

  constructor(
    onEvent: (event: ServiceEvent) => void,
    metrics: SharedMetrics,
    { saysUp = true, settleMs = 0, now = () => performance.now() }: StoreWatchOptions = {},
  ) {
    this.#onEvent = onEvent;
    this.#metrics = metrics;
    this.#saysUp = saysUp;
    this.#settleMs = settleMs;
    this.#now = now;
  }

  worked(use: StoreUse): void {
    const lost = this.#lost.get(use);
    if (lost !== undefined && this.#now() - lost.last >= this.#settleMs) {
      this.#lost.delete(use);
      const seconds = Math.round(this.#now() - lost.since) / 1000;
      this.#onEvent({ event: 'store_reachable', doing: use, seconds });
    }
    this.#showUp();
  }

  failed(use: StoreUse, error: unknown): void {
    this.#metrics.add('storeFailures');
    const [lost, now] = [this.#lost.get(use), this.#now()];
    if (lost !== undefined) {
      lost.last = now;
      return;
    }
    this.#lost.set(use, { since: now, last: now });
    this.#showUp();
    this.#onEvent({ event: 'store_unreachable', doing: use, reason: reasonOf(error) });
  }

  #showUp(): void {
    if (this.#saysUp) this.#metrics.set('storeUp', this.#lost.size === 0 ? 1 : 0);
  }
}

/** With what to do about it, if known. */
export function reasonOf(error: unknown): string {
  if (error instanceof StoreError) return `${error.message}; ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

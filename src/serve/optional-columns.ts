// Requests that need optional columns while the snapshot has none: they wait until the supervisor sends a snapshot that has them.

import { ApiError } from '../errors.ts';
import { hasOptional, type Snapshot } from '../snapshot/table.ts';

/** Clients and proxies give up after some 30 seconds. */
const MAX_WAIT_MS = 20_000;

export class OptionalColumns {
  readonly #ask: () => void;
  readonly #maxWaitMs: number;
  #waiting: PromiseWithResolvers<Snapshot> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(ask: () => void, maxWaitMs: number = MAX_WAIT_MS) {
    this.#ask = ask;
    this.#maxWaitMs = maxWaitMs;
  }

  get(current: Snapshot): Snapshot | Promise<Snapshot> {
    if (hasOptional(current)) return current;
    if (this.#waiting === null) {
      this.#waiting = Promise.withResolvers<Snapshot>();
      this.#timer = setTimeout(() => this.#giveUp(), this.#maxWaitMs).unref();
      this.#ask();
    }
    return this.#waiting.promise;
  }

  /** To be called with every new snapshot. */
  receive(snapshot: Snapshot): void {
    if (this.#waiting === null || !hasOptional(snapshot)) return;
    clearTimeout(this.#timer);
    this.#waiting.resolve(snapshot);
    this.#waiting = null;
  }

  /** They could not be published. */
  fail(): void {
    clearTimeout(this.#timer);
    this.#refuse(
      'This server could not publish the optional columns; its log has the reason.',
      'Requests without optional columns are answered as always.',
    );
  }

  #giveUp(): void {
    this.#refuse(
      'The optional columns are computed for the first time, from all bars of the store.',
      'Retry after Retry-After seconds. Requests without optional columns are answered as always.',
    );
  }

  #refuse(message: string, hint: string): void {
    this.#waiting?.reject(new ApiError('columns_pending', message, { hint }));
    this.#waiting = null;
  }
}

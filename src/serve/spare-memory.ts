// Returns memory to the system after a large refresh. V8 would keep it for the next one, but hours may pass between two refreshes, and
// it is as much memory as everything that is served.

import { getHeapStatistics } from 'node:v8';
import { collectGarbage } from './collect-garbage.ts';

/** Bytes that are worth a collection, which takes this thread some hundredths of a second. */
const MUCH = 16 * 2 ** 20;
/** The serving threads take up the new snapshot first. */
const WAIT_MS = 500;
/** While refreshes follow one another without a pause, a collection after each would take the cores from the serving threads. */
const REST_MS = 10_000;

export class SpareMemory {
  readonly #collect: () => void;
  readonly #heapBytes: () => number;
  #needed: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    collect: () => void = collectGarbage,
    heapBytes: () => number = () => getHeapStatistics().total_heap_size,
  ) {
    this.#collect = collect;
    this.#heapBytes = heapBytes;
    this.#needed = heapBytes();
  }

  /** To be called after every refresh, small ones too. */
  refreshed(): void {
    // The next refresh does not postpone a collection.
    if (this.#timer !== undefined || this.#heapBytes() - this.#needed < MUCH) return;
    this.#timer = setTimeout(() => this.#giveBack(), WAIT_MS).unref();
  }

  #giveBack(): void {
    this.#collect();
    this.#needed = this.#heapBytes();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.refreshed();
    }, REST_MS).unref();
  }
}

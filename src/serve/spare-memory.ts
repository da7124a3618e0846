// Gives memory back to the system that a large refresh has left behind. V8 keeps it for the next one, but between two of them hours
// may pass, and it is as much as all that is served.

import { getHeapStatistics } from 'node:v8';

/** Bytes that are worth a collection, which takes this thread some hundredths of a second. */
const MUCH = 16 * 2 ** 20;
/** Until whoever waits for what was refreshed has it. */
const WAIT_MS = 500;

export class SpareMemory {
  readonly #collect: NodeJS.GCFunction | undefined;
  readonly #heapBytes: () => number;
  #needed = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Without a way to collect (`node --expose-gc`, as the launcher starts it), V8 decides alone. */
  constructor(
    collect: NodeJS.GCFunction | undefined = globalThis.gc,
    heapBytes: () => number = () => getHeapStatistics().total_heap_size,
  ) {
    this.#collect = collect;
    this.#heapBytes = heapBytes;
    this.#needed = heapBytes();
  }

  /** To be called after every refresh, small ones too. */
  refreshed(): void {
    if (this.#heapBytes() - this.#needed < MUCH) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveBack(), WAIT_MS).unref();
  }

  #giveBack(): void {
    // Any other flavour keeps the pages that it has emptied.
    this.#collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    this.#needed = this.#heapBytes();
  }
}

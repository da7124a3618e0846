// Gives memory back to the system that a large refresh has left behind. V8 keeps it for the next one, but between two of them hours
// may pass, and it is as much as all that is served.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that are worth a collection, which takes this thread some hundredths of a second. */
const MUCH = 16 * 2 ** 20;
/** Until whoever waits for what was refreshed has it. */
const WAIT_MS = 500;

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
    if (this.#heapBytes() - this.#needed < MUCH) return;
    // Not put off by the next refresh: they may come one upon the other.
    this.#timer ??= setTimeout(() => this.#giveBack(), WAIT_MS).unref();
  }

  #giveBack(): void {
    this.#timer = undefined;
    this.#collect();
    this.#needed = this.#heapBytes();
  }
}

/**
 * The flag is set for a moment only, and not for the whole program: code that is kept between starts counts for the flags that it
 * was compiled with, the engine's own included.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // Any other flavour keeps the pages that it has emptied.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

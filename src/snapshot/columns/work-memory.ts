// Memory that one piece of work after the other uses. It is shared memory, which V8 does not count: large blocks of its own would cause
// garbage collections, which take a second while a store with a million assets is read.

import { sharedCounts, sharedDoubles } from './shared-memory.ts';

export class WorkMemory {
  #words = sharedCounts(0);
  #doubles = sharedDoubles(0);

  /** At least so many words, with any content. */
  words(length: number): Uint32Array {
    if (this.#words.length < length) this.#words = sharedCounts(length);
    return this.#words;
  }

  /** So many doubles, with any content. */
  doubles(length: number): Float64Array {
    if (this.#doubles.length < length) this.#doubles = sharedDoubles(length);
    return this.#doubles.subarray(0, length);
  }
}

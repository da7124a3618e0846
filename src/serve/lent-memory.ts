// How much shared memory the snapshots of past days take. Memory is shared by several threads, and is freed once each of them has
// collected the garbage that refers to it: until then it counts.

import { setTimeout as wait } from 'node:timers/promises';
import { whenFreed } from './when-freed.ts';

/** The threads have this long to free memory after they were asked. */
const MAX_WAIT_MS = 3000;
const CHECK_MS = 20;

/** A thread, or the main thread. */
type Holder = object;
const MAIN: Holder = {};

interface Lent {
  readonly bytes: number;
  readonly holders: Set<Holder>;
}

export class LentMemory {
  readonly #collect: () => void | Promise<void>;
  /** While the threads collect: they do so once for all who ask. */
  #collecting: Promise<void> | null = null;
  readonly #lent = new Map<number, Lent>();
  #bytes = 0;

  /** `collect` makes all threads collect their garbage. */
  constructor(collect: () => void | Promise<void>) {
    this.#collect = collect;
  }

  /** That some thread still holds. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `content` is held by this thread until it is collected. */
  add(id: number, bytes: number, content: object): void {
    this.#lent.set(id, { bytes, holders: new Set([MAIN]) });
    this.#bytes += bytes;
    whenFreed(content, () => this.freed(id, MAIN));
  }

  lend(id: number, holder: Holder): void {
    this.#lent.get(id)?.holders.add(holder);
  }

  freed(id: number, holder: Holder): void {
    const lent = this.#lent.get(id);
    if (lent === undefined || !lent.holders.delete(holder) || lent.holders.size > 0) return;
    this.#lent.delete(id);
    this.#bytes -= lent.bytes;
  }

  /** A thread has ended: it holds nothing any more. */
  ended(holder: Holder): void {
    for (const id of [...this.#lent.keys()]) this.freed(id, holder);
  }

  /** Makes the threads free what they no longer use, if that is needed; false if more than `bytes` stay in use. */
  async shrinkTo(bytes: number): Promise<boolean> {
    if (this.#bytes <= bytes) return true;
    this.#collecting ??= Promise.resolve(this.#collect()).finally(() => {
      this.#collecting = null;
    });
    for (const until = performance.now() + MAX_WAIT_MS; performance.now() < until; ) {
      await wait(CHECK_MS);
      if (this.#bytes <= bytes) return true;
    }
    return false;
  }
}

// Work that comes in heaps and can wait, a little of it in each turn of the event loop, so that nobody waits for the whole heap.

/** Of one turn. */
const SHARE_MS = 1;

/** How many that were done may stand before those that wait, so that taking the first one out costs nothing. */
const DONE_KEPT = 1024;

/** Returns a function that takes in what is to be done, first come, first served; with a share of 0, one item a turn. */
export function inTimeSlices<T>(work: (item: T) => void, shareMs: number = SHARE_MS): (item: T) => void {
  let waiting: T[] = [];
  let done = 0;
  let scheduled = false;
  function turn(): void {
    const ends = performance.now() + shareMs;
    try {
      do work(waiting[done++]!);
      while (done < waiting.length && performance.now() < ends);
    } finally {
      if (done === waiting.length || done > DONE_KEPT) [waiting, done] = [waiting.slice(done), 0];
      scheduled = waiting.length > 0;
      if (scheduled) setImmediate(turn);
    }
  }
  return item => {
    waiting.push(item);
    if (!scheduled) setImmediate(turn);
    scheduled = true;
  };
}

/** For work in steps that many do at once: one step of one of them in each turn, in the order in which they asked. */
export class TimeSlices {
  readonly #take = inTimeSlices((go: () => void) => go(), 0);

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise(resolve => this.#take(resolve));
  }
}

// Time slices: work that comes in bursts is done a little per turn of the event loop, so that requests in between do not wait for
// all of it.

/** Time per turn. */
const SLICE_MS = 1;

/** Finished items that stay at the beginning of the array, so that taking out the next one is cheap. */
const MAX_DONE = 1024;

/** Returns a function that adds an item, first come, first served; with a slice of 0 ms, one item is done per turn. */
export function inTimeSlices<T>(work: (item: T) => void, sliceMs: number = SLICE_MS): (item: T) => void {
  let waiting: T[] = [];
  let done = 0;
  let scheduled = false;
  function turn(): void {
    const ends = performance.now() + sliceMs;
    try {
      do work(waiting[done++]!);
      while (done < waiting.length && performance.now() < ends);
    } finally {
      if (done === waiting.length || done > MAX_DONE) [waiting, done] = [waiting.slice(done), 0];
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

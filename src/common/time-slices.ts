// Time slices: work that comes in bursts is done a little per turn of the event loop, so that requests in between do not wait for
// all of it.

import { Fifo } from './fifo.ts';

/** Time per turn. */
const SLICE_MS = 1;

/** Returns a function that adds an item, first come, first served; with a slice of 0 ms, one item is done per turn. */
export function inTimeSlices<T>(work: (item: T) => void, sliceMs: number = SLICE_MS): (item: T) => void {
  const waiting = new Fifo<T>();
  let scheduled = false;
  function turn(): void {
    const ends = performance.now() + sliceMs;
    try {
      do
        work(waiting.shift()!); // one waits
      while (waiting.length > 0 && performance.now() < ends);
    } finally {
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

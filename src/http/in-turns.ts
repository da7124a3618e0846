// Work that comes in heaps and is in no hurry, a little of it in each turn of the event loop, so that nobody waits for the whole heap.

/** Of one turn. */
const SHARE_MS = 1;

/** Returns a function that takes in what is to be done, first come, first served. */
export function inTurns<T>(work: (item: T) => void): (item: T) => void {
  let waiting: T[] = [];
  let done = 0;
  function turn(): void {
    const ends = performance.now() + SHARE_MS;
    do work(waiting[done++]!);
    while (done < waiting.length && performance.now() < ends);
    if (done < waiting.length) setImmediate(turn);
    else [waiting, done] = [[], 0];
  }
  return item => {
    if (waiting.push(item) === 1) setImmediate(turn);
  };
}

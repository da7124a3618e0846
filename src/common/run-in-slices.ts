// Runs a long series of steps a little per turn of the event loop, so that everything else waits for milliseconds at most.

import type { Steps } from './steps.ts';

/** Time per turn. */
const SLICE_MS = 1;

/**
 * Calls `next` until it is done; then `then`. Between two turns it pauses for `pauseMs` milliseconds: a thread that never sleeps makes the
 * other threads and programs of the machine wait for a core. A step that fails ends the series: `onFailure` gets the error, then
 * `then` is called; without it, the error ends the thread.
 */
export function runInSlices(
  steps: Iterator<void>,
  then: () => void,
  pauseMs: () => number = () => 0,
  onFailure?: (error: unknown) => void,
): void {
  const isDone = () => {
    try {
      return steps.next().done === true;
    } catch (error) {
      if (onFailure === undefined) throw error;
      onFailure(error);
      return true;
    }
  };
  const turn = () => {
    const ends = performance.now() + SLICE_MS;
    do if (isDone()) return then();
    while (performance.now() < ends);
    const pause = pauseMs();
    if (pause > 0) setTimeout(turn, pause);
    else setImmediate(turn);
  };
  setImmediate(turn);
}

/** The same for steps with a result. */
export function resultInSlices<T>(steps: Steps<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  function* all(): Steps<void> {
    resolve(yield* steps);
  }
  runInSlices(all(), () => {}, undefined, reject);
  return promise;
}

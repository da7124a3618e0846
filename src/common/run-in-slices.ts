// Runs a long series of steps a little per turn of the event loop, so that everything else waits for milliseconds at most.

/** Time per turn. */
const SLICE_MS = 1;

/**
 * Calls `next` until it is done; then `then`. Between two turns it pauses for `pauseMs` milliseconds: a thread that never sleeps makes the
 * other threads and programs of the machine wait for a core.
 */
export function runInSlices(steps: Iterator<void>, then: () => void, pauseMs: () => number = () => 0): void {
  const turn = () => {
    const ends = performance.now() + SLICE_MS;
    do if (steps.next().done) return then();
    while (performance.now() < ends);
    const pause = pauseMs();
    if (pause > 0) setTimeout(turn, pause);
    else setImmediate(turn);
  };
  setImmediate(turn);
}

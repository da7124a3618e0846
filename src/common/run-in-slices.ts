// Runs a long series of steps a little per turn of the event loop, so that everything else waits for milliseconds at most.

/** Time per turn. */
const SLICE_MS = 1;

/** Calls `next` until it is done; then `then`. */
export function runInSlices(steps: Iterator<void>, then: () => void, sliceMs: number = SLICE_MS): void {
  const turn = () => {
    const ends = performance.now() + sliceMs;
    do if (steps.next().done) return then();
    while (performance.now() < ends);
    setImmediate(turn);
  };
  setImmediate(turn);
}

// The end of a process that is told to stop, whatever keeps it from stopping in order: a promise that never settles, a module that can
// no longer be loaded, a load that does not end.

import type { StopSignals } from './stop-signals.ts';

/** For the last steps of a stop, after its grace: see `Supervisor.stop` and `StoreFollower.end`. */
const LAST_STEPS_MS = 8000;

/** To be called at the first signal. The process ends at the latest some seconds after `graceMs`, or after the second signal. */
export function endAnyway(
  graceMs: number,
  second: StopSignals['second'],
  onLate: (reason: string) => void,
  lastStepsMs: number = LAST_STEPS_MS,
): void {
  const end = (reason: string) => {
    try {
      onLate(reason);
    } finally {
      // Not process.exit, which waits for threads and for reads from a file system that hangs.
      process.kill(process.pid, 'SIGKILL');
    }
  };
  const seconds = (millis: number) => `${millis / 1000} s`;
  const late = `it has not stopped within ${seconds(graceMs + lastStepsMs)}`;
  setTimeout(end, graceMs + lastStepsMs, late).unref();
  const lateAgain = `it has not stopped within ${seconds(lastStepsMs)} of the second signal`;
  void second.then(() => setTimeout(end, lastStepsMs, lateAgain).unref());
}

// Which work of a list is taken and which is done: one integer per piece of work, in memory that the threads share.

export type WorkStates = Int32Array<SharedArrayBuffer>;

const OPEN = 0;
const TAKEN = 1;
const DONE = 2;
const FAILED = 3;

export function statesOf(works: number): WorkStates {
  return new Int32Array(new SharedArrayBuffer(4 * works));
}

/** False if a thread has taken it already. */
export function takeWork(states: WorkStates, i: number): boolean {
  return Atomics.compareExchange(states, i, OPEN, TAKEN) === OPEN;
}

export function finishWork(states: WorkStates, i: number, failed = false): void {
  Atomics.store(states, i, failed ? FAILED : DONE);
  Atomics.notify(states, i);
}

export function isDone(states: WorkStates, i: number): boolean {
  return Atomics.load(states, i) === DONE;
}

/** Until the work is not taken any more; false after so many milliseconds. */
export function waitForWork(states: WorkStates, i: number, millis: number): boolean {
  return Atomics.wait(states, i, TAKEN, millis) !== 'timed-out';
}

// Work in steps: a generator that stops after about a millisecond at most, so that other work can run before it goes on.

export type Steps<T> = Generator<void, T, undefined>;

/** Why the steps of a computation end before it is done: a reason that concerns only the request that it was for. */
export class StepsEnded extends Error {
  override readonly name = 'StepsEnded';
}

/** Runs a computation: at once, or while other work runs between its steps. */
export type RunSteps = <T>(steps: Steps<T>) => T | Promise<T>;

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Like `Array.map`, with a stop after every `size` items. */
export function* mapInSteps<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R,
  size: number = 1,
): Steps<R[]> {
  const found: R[] = [];
  for (let i = 0; i < items.length; i++) {
    found.push(work(items[i]!, i));
    if (i % size === size - 1) yield;
  }
  return found;
}

/** Does a piece of work, such as reading a part from the store, when it is a client's turn. */
export type AtTurn = <T>(work: () => Promise<T>) => Promise<T>;

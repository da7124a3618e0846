// Work that waits in the middle, written from top to bottom, and without a promise where there is nothing to wait for. `await` would cost
// each response that is ready at once several turns of the queue.

/** A promise, or a function that begins to wait and calls back, perhaps at once. */
export type Wait = Promise<unknown> | ((goOn: (value?: unknown) => void) => void);

/** A function that waits by `yield`. */
export type Waits<T> = Generator<Wait, T, unknown>;

/** Waits for a promise. */
export function* settled<T>(promise: Promise<T>): Waits<T> {
  return (yield promise) as T; // `proceed` goes on with its value
}

/** Waits until `begin` calls back. What follows runs inside of that call. */
export function* called<T = void>(begin: (goOn: (value: T) => void) => void): Waits<T> {
  return (yield begin as Wait) as T; // `proceed` passes the value on as it is
}

/** Runs the function to its end. What it throws is an unhandled error. */
export function proceed(steps: Waits<void>): void {
  const goOn = (value?: unknown): void => waitFor(steps, steps.next(value), goOn);
  goOn();
}

function waitFor(
  steps: Waits<void>,
  { done, value }: IteratorResult<Wait, void>,
  goOn: (value?: unknown) => void,
): void {
  if (done) return;
  if (typeof value === 'function') value(goOn);
  // Not done, so that it is a promise.
  else (value as Promise<unknown>).then(goOn, error => waitFor(steps, steps.throw(error), goOn));
}

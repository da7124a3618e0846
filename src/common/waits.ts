// Work that waits in the middle, written from top to bottom, and without a promise where there is nothing to wait for. `await` would cost
// each response that is ready at once several turns of the queue.

/** A promise, or a function that begins to wait and calls back, perhaps at once. */
type Wait = Promise<unknown> | ((goOn: (value?: unknown) => void) => void);

/** A function that waits by `yield*` of the two functions below. */
export type Waits<T> = Generator<Wait, T, never>;

/** Waits for a promise; goes on at once with any other value. */
export function* settled<T>(value: T | Promise<T>): Waits<T> {
  return value instanceof Promise ? yield value : value;
}

/** Waits until `begin` calls back. What follows runs inside of that call. */
export function* called<T>(begin: (goOn: (value: T) => void) => void): Waits<T> {
  return yield begin as Wait; // `proceed` passes the value on as it is
}

/** Runs the function to its end. What it throws is an unhandled error. */
export function proceed(work: Waits<void>): void {
  const steps = work as Generator<Wait, void, unknown>; // gets the value of each wait
  const goOn = (value?: unknown): void => waitFor(steps.next(value));
  const fail = (error: unknown): void => waitFor(steps.throw(error));
  const waitFor = ({ done, value }: IteratorResult<Wait, void>): void => {
    if (done) return;
    if (typeof value === 'function') value(goOn);
    else (value as Promise<unknown>).then(goOn, fail); // not done
  };
  goOn();
}

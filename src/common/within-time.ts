// Waits for work that cannot be cancelled, but no longer than a time, and not after a signal.

/** Fails with what `onLate` returns when the time is up, by the monotonic clock, and with the reason of the signal when it is aborted. */
export function withinTime<T>(work: Promise<T>, millis: number, signal: AbortSignal, onLate: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      end();
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      end();
      reject(onLate());
    }, millis);
    signal.addEventListener('abort', onAbort);
    work.finally(end).then(resolve, reject);
    if (signal.aborted) onAbort();
  });
}

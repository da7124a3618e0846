// One promise for all callers of a function that takes time. A failure is never kept: the next caller tries again.

/** Calls `make` at most once per `maxAgeMs`, counted from the call, and never twice at the same time. */
export function shared<T>(
  make: () => T | Promise<T>,
  maxAgeMs: number = Number.POSITIVE_INFINITY,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let kept: Promise<T> | null = null;
  let madeAt = 0;
  let pending = false;
  return () => {
    if (kept !== null && (pending || now() - madeAt < maxAgeMs)) return kept;
    pending = true;
    madeAt = now();
    const made = new Promise<T>(resolve => resolve(make()));
    kept = made;
    made.then(
      () => {
        pending = false;
      },
      () => {
        pending = false;
        kept = null;
      },
    );
    return made;
  };
}

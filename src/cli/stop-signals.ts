// Stop signals: the first stops the work gracefully, the second at once.

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Ctrl-C under npm sends two signals: one from the terminal, one that npm forwards. */
const SAME_MS = 300;

export interface StopSignals {
  readonly first: Promise<void>;
  readonly second: Promise<void>;
}

/** After the second signal the default behaviour applies again. */
export function stopSignals(): StopSignals {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let firstAt: number | null = null;
  const onSignal = () => {
    const now = performance.now();
    firstAt ??= now;
    if (firstAt === now) return first.resolve();
    if (now - firstAt < SAME_MS) return;
    for (const signal of SIGNALS) process.off(signal, onSignal);
    second.resolve();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { first: first.promise, second: second.promise };
}

/** Aborted by the first stop signal. Once it is disposed of, the default behaviour applies again. */
export type StopSignal = Disposable & { readonly signal: AbortSignal };

/** For a command that cleans up when it is stopped. */
export function stopSignal(): StopSignal {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of SIGNALS) process.once(signal, onSignal);
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}

// Being told to stop: once to stop in order, twice to stop at once.

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Who starts the program by npm and presses Ctrl-C sends two: the terminal's, and the one that npm passes on. */
const SAME_MS = 300;

export interface StopSignals {
  readonly first: Promise<void>;
  readonly second: Promise<void>;
}

/** From the second one on the signals do again what they always do. */
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

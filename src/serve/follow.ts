// Does something after every change of a store: at once after a notification, and at intervals in case one is missed.

import type { ChangeNotices } from '../store/store.ts';

/**
 * Runs `work` at once, after each notice, and `everyMs` after the last run; never twice at the same time. A notice that comes
 * during a run leads to one more, because the run may have asked before the change. `work` must not fail. Returns how to stop,
 * which waits for a run under way.
 */
export function follow(store: ChangeNotices, everyMs: number, work: () => Promise<unknown>): () => Promise<void> {
  let [stopped, again] = [false, false];
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    do {
      again = false;
      await work();
    } while (again && !stopped);
    running = null;
    if (!stopped) timer = setTimeout(wake, everyMs);
  }

  function wake(): void {
    again = true;
    if (running !== null || stopped) return;
    clearTimeout(timer);
    running = run();
  }

  const unwatch = store.watch(wake);
  wake();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await Promise.all([unwatch(), running]);
  };
}

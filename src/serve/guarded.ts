// Work that a timer or a notice starts: nobody awaits it, so that an error which leaves it would end the whole process.

import type { ServiceEvent } from '../observe/events.ts';

/** The same work, which never fails: what goes wrong is logged, once until it works again, and the next run tries again. */
export function guarded<Args extends unknown[]>(
  task: string,
  onEvent: (event: ServiceEvent) => void,
  work: (...args: Args) => unknown,
): (...args: Args) => Promise<void> {
  let isFailing = false;
  return async (...args) => {
    try {
      await work(...args);
      isFailing = false;
    } catch (error) {
      const stack = (error instanceof Error ? error.stack : undefined) ?? String(error);
      if (!isFailing) onEvent({ event: 'task_failed', task, stack });
      isFailing = true;
    }
  };
}

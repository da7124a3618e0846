// Lets the serving threads of this machine go first: a load or a past day may take a little longer, an answer may not.

import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/** Lowers the priority of this process, unless it is as low already. */
export function lowerPriority(): void {
  for (const thread of threads()) lower(thread);
}

/** The same for the calling thread alone; without effect where threads have no priorities of their own. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') lower(CALLER);
}

/** The process, or on Linux the calling thread. */
const CALLER = 0;

/** Linux has a priority per thread: those that V8 has started to collect garbage do not follow the first one. */
function threads(): number[] {
  if (process.platform !== 'linux') return [CALLER];
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [CALLER];
  }
}

function lower(thread: number): void {
  try {
    if (getPriority(thread) < PRIORITY_BELOW_NORMAL) setPriority(thread, PRIORITY_BELOW_NORMAL);
  } catch {
    // The thread has ended, or the system does not allow it: the work is done as it is.
  }
}

// Lets the serving threads of this machine go first: a load or a past day may take a little longer, an answer may not.

import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/** Lowers the priority of this process, unless it is as low already; on Linux, of the calling thread alone. */
export function giveWay(): void {
  try {
    if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
  } catch {
    // Where the system does not allow it, the work is done as it is.
  }
}

/** The same for a thread; without effect where threads have no priorities of their own. */
export function threadGivesWay(): void {
  if (process.platform === 'linux') giveWay();
}

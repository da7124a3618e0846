// Lets the threads that serve go first: a snapshot may take a little longer, an answer may not.

import { stat } from 'node:fs/promises';
import { setPriority } from 'node:os';

/** Behind the serving threads, before a load: where all want the processor, this thread gets a quarter of what each of them gets. */
const NICENESS = 5;

/**
 * To be called in the main thread, once the serving threads run. In Linux the priority of "this process" is that of the thread
 * that asks, and threads that are made later have it too; elsewhere it would be that of all threads.
 */
export async function goBehindThreads(): Promise<void> {
  if (process.platform !== 'linux') return;
  // Makes the threads that all others have files read and pages compressed by, if nobody has needed them yet.
  await stat(import.meta.dirname);
  try {
    setPriority(NICENESS);
  } catch {
    // Where the system does not allow it, all threads are equal.
  }
}

// Starts threads.

import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { type ResourceLimits, type TransferListItem, Worker } from 'node:worker_threads';

const START = new URL('./start-thread.js', import.meta.url);

/** What every thread is started with, besides its own setup. */
export interface ThreadStart {
  /** The URL of its module. */
  readonly script: string;
  /** Where compiled code is kept; null if it is not. */
  readonly compiled: string | null;
}

/** The module NAME beside the one that calls: it ends in `.ts` in the clone, and in `.js` in the package. */
export function moduleBeside(caller: string, name: string): URL {
  return new URL(`./${name}${extname(caller)}`, caller);
}

/** `setup` is the `workerData` of the thread. */
export function startThread(
  script: URL,
  setup: object,
  options: { readonly resourceLimits?: ResourceLimits; readonly transferList?: TransferListItem[] } = {},
): Worker {
  // Each version of Node keeps its code in a folder of its own below the one that was named.
  const folder = getCompileCacheDir();
  const start: ThreadStart = { script: script.href, compiled: folder === undefined ? null : dirname(folder) };
  return new Worker(START, { ...options, workerData: { ...setup, ...start } });
}

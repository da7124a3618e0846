// One process at a time loads: the lock of the writer, and what those leave behind that were killed while they held it.

import { setTimeout as wait } from 'node:timers/promises';
import type { LoadLog, Store, StoreLock, StoreLocks } from '../store/store.ts';

export const LOADS_LOOKED_AT = 100;
/** Many times what a batch of live prices takes. */
const LIVE_BATCH_MS = 10_000;
const LOCK_RETRY_MS = 50;

/** Another process is writing. */
export class StoreBusyError extends Error {
  override readonly name = 'StoreBusyError';
  readonly hint = 'Wait for the other load to end; it frees the store when it ends, also when it is killed.';

  constructor(description: string) {
    super(`another load is writing to ${description}`);
  }
}

/** Fails if another process loads. The signal is aborted if the lock is lost: then nothing more may be written. */
export async function asOnlyWriter<T>(store: Store, work: (lockLost: AbortSignal) => Promise<T>): Promise<T> {
  await using lock = await lockForLoad(store);
  if (lock === null) throw new StoreBusyError(store.description);
  // A process that follows live prices takes the lock for each batch only, and closes those of its predecessors itself.
  await closeAbandonedLoads(store, source => !isLive(source));
  return await work(lock.lost);
}

/** A process that follows live prices holds the lock for moments, again and again: that one is worth waiting for, another load is not. */
async function lockForLoad(store: StoreLocks): Promise<StoreLock | null> {
  const giveUp = performance.now() + LIVE_BATCH_MS;
  for (;;) {
    const lock = await store.lock('load');
    if (lock !== null || performance.now() > giveUp) return lock;
    const live = await store.lock('live');
    await live?.release();
    if (live !== null) return null;
    await wait(LOCK_RETRY_MS);
  }
}

/** Those that are still running, for the holder of the lock that they held: their processes have ended. */
export async function closeAbandonedLoads(store: LoadLog, isMeant: (source: string) => boolean): Promise<void> {
  for (const load of await store.loads(LOADS_LOOKED_AT)) {
    if (load.state !== 'running' || !isMeant(load.source)) continue;
    await store.updateLoad(load.id, { ...load, state: 'failed', error: 'its process ended before it was done' });
  }
}

/** Whether a load follows live prices, by its name in the log. */
export function isLive(source: string): boolean {
  return source.startsWith('live ');
}

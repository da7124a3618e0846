// One process at a time loads: the lock of the writer, and what those leave behind that were killed while they held it.

import { setTimeout as wait } from 'node:timers/promises';
import {
  type LoadLog,
  type LockPurpose,
  type Store,
  type StoredLoad,
  StoreError,
  type StoreLock,
  type StoreLocks,
} from '../store/store.ts';

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
  for (let tries = 1; ; tries++) {
    const lock = await store.lock('load');
    if (lock !== null || performance.now() > giveUp) return lock;
    // The first time, a command may have held it for a moment, to find out whether a load still runs.
    if (tries > 1 && !(await isHeld(store, 'live'))) return null;
    await wait(LOCK_RETRY_MS);
  }
}

async function isHeld(store: StoreLocks, purpose: LockPurpose): Promise<boolean> {
  const lock = await store.lock(purpose);
  await lock?.release();
  return lock === null;
}

/** Those that are still running, for the holder of the lock that they held: their processes have ended. */
export async function closeAbandonedLoads(store: LoadLog, isMeant: (source: string) => boolean): Promise<void> {
  for (const load of await store.loads(LOADS_LOOKED_AT)) {
    if (load.state !== 'running' || !isMeant(load.source)) continue;
    await store.updateLoad(load.id, { ...load, ...ABANDONED });
  }
}

const ABANDONED = { state: 'failed', error: 'its process ended before it was done' } as const;

/** Records of loads as the next load will find them: one that was killed is still recorded as running. */
export async function withAbandoned(
  store: StoreLocks & Pick<Store, 'readOnly'>,
  loads: readonly StoredLoad[],
): Promise<StoredLoad[]> {
  const running = loads.filter(({ state }) => state === 'running');
  if (running.length === 0 || store.readOnly) return [...loads];
  const held = new Set<LockPurpose>();
  for (const purpose of new Set(running.map(lockOf))) if (await mayBeHeld(store, purpose)) held.add(purpose);
  return loads.map(load => (load.state !== 'running' || held.has(lockOf(load)) ? load : { ...load, ...ABANDONED }));
}

/** Also if that cannot be found out, such as while a database has no primary. */
async function mayBeHeld(store: StoreLocks, purpose: LockPurpose): Promise<boolean> {
  try {
    return await isHeld(store, purpose);
  } catch (error) {
    if (error instanceof StoreError) return true;
    throw error;
  }
}

/** Held as long as the load runs. */
function lockOf({ source }: StoredLoad): LockPurpose {
  return isLive(source) ? 'live' : 'load';
}

/** Whether a load follows live prices, by its name in the log. */
export function isLive(source: string): boolean {
  return source.startsWith('live ');
}

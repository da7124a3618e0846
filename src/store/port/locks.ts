// Locks of a store, each for work that one process does at a time, however many servers and loads there are.

/** Loading data; evaluating and delivering alerts; following live prices. */
export type LockPurpose = 'load' | 'alerts' | 'live';

export interface StoreLocks {
  /** One process holds it at a time; it is released when the process ends, however it ends. Null if another process holds it. */
  lock(purpose: LockPurpose): Promise<StoreLock | null>;
}

/** `await using` releases it at the end of the block. */
export interface StoreLock extends AsyncDisposable {
  /** Aborted when the lock is lost without being released: its holder must stop writing. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

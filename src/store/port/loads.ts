// The log of loads, and the lock that lets one process load at a time.

export interface LoadLog {
  /** Also forgets: see `LOADS_KEPT` and `LOADS_WITH_REJECTS_KEPT`. */
  beginLoad(source: string): Promise<number>;
  updateLoad(load: number, outcome: LoadOutcome): Promise<void>;
  /** Keeps the first `REJECTS_KEPT` of a load; how many there were is in its outcome. */
  addRejects(load: number, rejects: readonly StoredReject[]): Promise<void>;
  /** Newest first; with a source, only the loads of that one. */
  loads(limit: number, source?: string): Promise<StoredLoad[]>;
  /** In the order in which they were added. */
  rejects(load: number, limit: number): Promise<StoredReject[]>;
}

export interface WriterLocks {
  /** Only one process holds it at a time; it is freed when the process dies, however. Null when somebody else has it. */
  lockWriter(): Promise<WriterLock | null>;
}

export interface LoadOutcome {
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** What went wrong, for people; null when nothing did. */
  readonly error: string | null;
  readonly read: number;
  readonly inserted: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly rejected: number;
}

export interface StoredLoad extends LoadOutcome {
  readonly id: number;
  readonly source: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string | null;
}

export interface StoredReject {
  readonly where: string;
  readonly reason: string;
  readonly detail: string;
}

/** A load that met more unreadable lines than this has one cause, and its first lines show it. */
export const REJECTS_KEPT = 1000;

/**
 * A load a minute would fill a store in the end. As many of the newest loads are kept, and besides them the last one of each
 * source that went well, again as many: whether a load is due hangs on it, however many others came since.
 */
export const LOADS_KEPT = 1000;

/** So many of the newest loads have their rejects. */
export const LOADS_WITH_REJECTS_KEPT = 100;

export interface WriterLock {
  /** Aborted when the lock is lost although nobody released it: whoever holds it must stop writing. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

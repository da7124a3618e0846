// The log of loads.

export interface LoadLog {
  /** Returns its number. Also deletes old loads and rejects: see `LOADS_KEPT` and `LOADS_WITH_REJECTS_KEPT`. */
  beginLoad(source: string): Promise<number>;
  updateLoad(load: number, outcome: LoadOutcome): Promise<void>;
  /** Keeps the first `REJECTS_KEPT` of a load; its outcome has their number. */
  addRejects(load: number, rejects: readonly StoredReject[]): Promise<void>;
  /** Newest first; with a source, only the loads of that one. */
  loads(limit: number, source?: string): Promise<StoredLoad[]>;
  /** Those of these numbers that are still in the log, in any order. */
  loadsOf(numbers: readonly number[]): Promise<StoredLoad[]>;
  /** In the order in which they were added. */
  rejects(load: number, limit: number): Promise<StoredReject[]>;
}

export interface LoadOutcome {
  /** `undone`: its bars were taken out again. */
  readonly state: 'running' | 'done' | 'failed' | 'stopped' | 'undone';
  /** What went wrong, for people; null if nothing did. */
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

/** More rejects than this have one cause, which the first ones show. */
export const REJECTS_KEPT = 1000;

/**
 * One load per minute would fill a store in the end. This many of the newest loads are kept, and also the last successful load of each
 * source, again this many: it decides whether a load is due, however many others came since.
 */
export const LOADS_KEPT = 1000;

/** Of the loads that changed something, this many are kept: they are the origins of bars. */
export const LOADS_WITH_CHANGES_KEPT = 50_000;

/** The rejects of this many of the newest loads are kept. */
export const LOADS_WITH_REJECTS_KEPT = 100;

// The port of the store. One adapter for each database; `test/contract/store.ts` says what each must do.

import type { Asset, AssetDraft, AssetKey } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';
import type { Day } from '../domain/day.ts';
import type { SourcedProfile } from '../domain/profile.ts';

export interface Store {
  /** Which store this is, for people; holds no password. */
  readonly description: string;
  close(): Promise<void>;

  // Assets and profiles

  assets(): Promise<Asset[]>;
  /** Creates what is new by id and updates what differs; returns the keys in the order of the drafts. Marks changed ones as pending. */
  putAssets(drafts: readonly AssetDraft[]): Promise<AssetKey[]>;
  /** Gives a provisional asset the identity that a profile brought; its bars stay. Fails when the id is taken. */
  renameAsset(key: AssetKey, draft: AssetDraft): Promise<void>;
  setDelisted(keys: readonly AssetKey[], delisted: boolean): Promise<void>;
  putProfiles(
    profiles: readonly { readonly key: AssetKey; readonly sourced: SourcedProfile }[],
  ): Promise<ProfileChanges>;
  profile(key: AssetKey): Promise<SourcedProfile | null>;
  profiles(): AsyncIterable<{ readonly key: AssetKey; readonly sourced: SourcedProfile }>;

  // Bars

  /**
   * Inserts or replaces bars, one per asset and day (the later of two in the batch counts), and marks the assets whose bars
   * changed as pending, all in one transaction: when it returns, the bars survive a crash.
   */
  putBars(bars: StoredBars): Promise<BarChanges>;
  /** The bars of one asset, oldest first, from and to included. */
  bars(key: AssetKey, from: Day, to: Day): Promise<BarColumns>;
  /**
   * The newest closes of these assets, as far back as `days` calendar days before each one's newest close, and the one
   * close before that where there is one (it is what a gap at the start carries forward); oldest first per asset.
   */
  closes(keys: readonly AssetKey[], days: number): Promise<CloseSpans>;

  // Current rows and the version of what is published

  /** Assets whose bars or facts changed since their current row was published. */
  pending(): Promise<AssetKey[]>;
  /** Writes rows, removes rows, clears the marks of both, and raises the version, in one transaction. Returns the new version. */
  publish(update: CurrentUpdate): Promise<number>;
  /** 0 before anything was published. Cheap: servers ask several times a second. */
  version(): Promise<number>;
  /** Rows published after `version`, with the version they bring; `all` when the caller must drop what it has (a removal, other columns). */
  currentSince(version: number): Promise<CurrentChanges>;

  // Runs and the writer's lock

  beginRun(source: string): Promise<number>;
  updateRun(run: number, outcome: RunOutcome): Promise<void>;
  addRejects(run: number, rejects: readonly StoredReject[]): Promise<void>;
  /** Newest first. */
  runs(limit: number): Promise<Run[]>;
  rejects(run: number, limit: number): Promise<StoredReject[]>;
  /** Only one process holds it at a time; it is freed when the process dies, however. Null when somebody else has it. */
  lockWriter(): Promise<WriterLock | null>;

  totals(): Promise<Totals>;
}

export interface StoredBars extends BarColumns {
  readonly count: number;
  /** The asset of each bar. */
  readonly key: Uint32Array;
}

export interface BarChanges {
  readonly inserted: number;
  readonly replaced: number;
  readonly unchanged: number;
}

export interface ProfileChanges {
  readonly inserted: number;
  readonly replaced: number;
  readonly unchanged: number;
}

export interface CloseSpans {
  /** One more than there are keys: the closes of `keys[i]` are `starts[i] … starts[i + 1] - 1`. */
  readonly starts: Uint32Array;
  readonly day: Int32Array;
  readonly close: Float64Array;
}

/** The computed row of one asset. */
export interface CurrentRow {
  readonly key: AssetKey;
  /** Day of the latest close. */
  readonly day: Day;
  /** Days from the first close to the latest, both included: what `min_history` counts. */
  readonly history: number;
  readonly price: number;
  /** One per indicator, in catalogue order; null is NaN. */
  readonly values: Float64Array;
}

export interface CurrentUpdate {
  /** Identifies the columns that `values` hold; a change of columns makes every row stale. */
  readonly columns: string;
  readonly rows: readonly CurrentRow[];
  readonly removed: readonly AssetKey[];
}

export interface CurrentChanges {
  readonly version: number;
  readonly all: boolean;
  readonly rows: readonly CurrentRow[];
}

export interface RunOutcome {
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** What went wrong, for people; null when nothing did. */
  readonly error: string | null;
  readonly read: number;
  readonly inserted: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly rejected: number;
}

export interface Run extends RunOutcome {
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

export interface WriterLock {
  release(): Promise<void>;
}

export interface Totals {
  readonly assets: number;
  readonly profiles: number;
  readonly bars: number;
  readonly firstDay: Day | null;
  readonly lastDay: Day | null;
  readonly pending: number;
  readonly version: number;
  readonly bytes: number;
}

/** A store that cannot be used: told to a person in one line, with what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreFault;
  readonly hint: string;

  constructor(code: StoreFault, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }
}

export type StoreFault = 'bad_url' | 'unreachable' | 'newer_version' | 'corrupt' | 'not_a_store' | 'full' | 'read_only';

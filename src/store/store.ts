// The port of the store. One adapter for each database; `test/contract/store.ts` says what each must do.

import type { Asset, AssetDraft, AssetKey } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';
import type { Day } from '../domain/day.ts';
import type { SourcedProfile } from '../domain/profile.ts';
import type { Closes, ReplacedBatch } from './replaced-closes.ts';

export interface Store {
  /** Which store this is, for people; holds no password. */
  readonly description: string;
  /** May be called again. A lock that was taken is not released by it. */
  close(): Promise<void>;

  // Assets and profiles

  assets(): Promise<Asset[]>;
  /**
   * What is known of the assets whose facts changed after `version`, with the version that they bring; `all` when these are all
   * there are, for a version that is 0 or not yet reached. Bars and profiles are no facts.
   */
  assetsSince(version: number): Promise<AssetChanges>;
  /**
   * Creates what is new by id and updates what differs; returns the keys in the order of the drafts. Marks new and changed
   * ones as pending. Of two drafts with one id the later counts.
   */
  putAssets(drafts: readonly AssetDraft[]): Promise<AssetKey[]>;
  /** Gives a provisional asset the identity that a profile brought; its bars stay. Fails when the id is taken. */
  renameAsset(key: AssetKey, draft: AssetDraft): Promise<void>;
  /** Marks those that it changes as pending. */
  setDelisted(keys: readonly AssetKey[], delisted: boolean): Promise<void>;
  /** Marks those that it changes as pending, so that servers learn of them by the next version. */
  putProfiles(
    profiles: readonly { readonly key: AssetKey; readonly sourced: SourcedProfile }[],
  ): Promise<ProfileChanges>;
  profile(key: AssetKey): Promise<SourcedProfile | null>;
  profiles(): AsyncIterable<{ readonly key: AssetKey; readonly sourced: SourcedProfile }>;

  // Bars

  /**
   * Inserts or replaces bars, one per asset and day, and marks the assets whose bars changed as pending, all in one
   * transaction: when it returns, the bars survive a crash. A later bar of the same asset and day counts, in a batch as
   * between batches; a number that it lacks (NaN) never erases one that is known. Fails as a whole for an unknown asset.
   */
  putBars(bars: StoredBars): Promise<BarChanges>;
  /** The bars of one asset, oldest first, from and to included. */
  bars(key: AssetKey, from: Day, to: Day): Promise<BarColumns>;
  /**
   * The closes of one asset that its published row was made from, whatever has been loaded since. None when another version is
   * published than the one that is asked for, if one is.
   */
  publishedCloses(key: AssetKey, from: Day, to: Day, version?: number): Promise<PublishedCloses>;
  /** Of all assets, what `putBars` has replaced since they were published. */
  replacedCloses(): Promise<ReplacedBatch>;
  /**
   * The closes of these assets, one for each day, from `days` days before each one's newest close on, or from its oldest; oldest
   * first. A day without a close has the one before it, also where that one is older than asked for. None for an unknown asset.
   * Holds all of it in memory: ask for some hundred assets at a time.
   */
  closes(keys: readonly AssetKey[], days: number): Promise<DailyCloses>;

  // Current rows and the version of what is published

  /**
   * Assets whose bars, facts or profile changed since their current row was published, by key. Given the columns that the
   * caller computes, every asset, when those published are others.
   */
  pending(columns?: string): Promise<AssetKey[]>;
  /**
   * Writes rows, removes rows, clears the marks of both, and raises the version, in one transaction, which fails as a whole
   * when the parts do. Returns the new version. Parts may ask this store while they are made; of an asset that is in several
   * the last one counts. `columns` identifies what the values of the rows are: with others than before, the rows that it does
   * not write are removed and their assets pending.
   */
  publish(columns: string, parts: AsyncIterable<CurrentPart> | Iterable<CurrentPart>): Promise<number>;
  /** 0 before anything was published. Cheap: servers ask several times a second. */
  version(): Promise<number>;
  /**
   * Rows published after `version`, with the version they bring. `all` when the caller must drop what it has, and the rows are
   * all there are: after a removal or a change of columns, and for a version that is 0 or not yet reached.
   */
  currentSince(version: number): Promise<CurrentChanges>;
  /**
   * Calls back soon after another handle or process has published rows or changed keys, and at times when none has: what to do
   * is for `version` and `keysVersion` to say. Where the database cannot tell (a standby, a lost connection) it does not call;
   * who must not miss a change asks now and then all the same. Returns how to stop.
   */
  watch(onChange: () => void): () => Promise<void>;

  // Runs and the writer's lock

  /** Also forgets: see `RUNS_KEPT` and `REJECTED_RUNS_KEPT`. */
  beginRun(source: string): Promise<number>;
  updateRun(run: number, outcome: RunOutcome): Promise<void>;
  /** Keeps the first `REJECTS_KEPT` of a run; how many there were is in its outcome. */
  addRejects(run: number, rejects: readonly StoredReject[]): Promise<void>;
  /** Newest first; with a source, only the runs of that one. */
  runs(limit: number, source?: string): Promise<Run[]>;
  /** In the order in which they were added. */
  rejects(run: number, limit: number): Promise<StoredReject[]>;
  /** Only one process holds it at a time; it is freed when the process dies, however. Null when somebody else has it. */
  lockWriter(): Promise<WriterLock | null>;

  totals(): Promise<Totals>;
  /** Fails when the database finds damage in itself, wherever it is; reads all of it. Some find it only while they work. */
  checkIntegrity(): Promise<void>;

  // Keys and their use

  /** Fails when the id or the hash is taken, also by a key that was revoked. */
  createKey(key: NewKey): Promise<void>;
  /** All of them, revoked and expired ones too, oldest first. */
  keys(): Promise<StoredKey[]>;
  /** False when there is no such key or it is revoked already. */
  revokeKey(id: string): Promise<boolean>;
  /** Rises with every change of keys. Cheap: servers ask several times a second. */
  keysVersion(): Promise<number>;
  /**
   * Adds to the counts of that day, in one transaction, and returns the day's totals of these keys, other servers' included:
   * one for each key, in the order given. To add nothing only asks.
   */
  addUsage(day: Day, uses: readonly KeyUse[]): Promise<KeyUse[]>;
  /** The counts of every key on each of these days, both ends included; by day, then by key. */
  usage(from: Day, to: Day): Promise<DailyUse[]>;
  /** The last day on which each key was used, by its id; a key that never was is not in it. */
  lastUses(): Promise<Map<string, Day>>;
  /**
   * Says that this server lives, and returns how many have said so within the last `withinMs`, by the database's clock, this
   * one always included. Forgets those that have been silent for a day.
   */
  beat(server: string, withinMs: number): Promise<number>;
  /** The server has ended in order and counts no more. */
  depart(server: string): Promise<void>;

  // The whole of it, for backups

  /** Gives `work` the store as it is at one moment, however long that takes, while others write. */
  atOneMoment<T>(work: (view: StoreView) => Promise<T>): Promise<T>;
  /**
   * Fills a store that is empty (no assets, no runs, no keys; else it fails) in one transaction: servers see all of it or
   * nothing, and when `work` fails or the process dies, it is as empty as before.
   */
  fill(work: (target: FillTarget) => Promise<void>): Promise<void>;
}

export type StoreView = Pick<
  Store,
  | 'assets'
  | 'assetsSince'
  | 'profiles'
  | 'bars'
  | 'replacedCloses'
  | 'pending'
  | 'version'
  | 'currentSince'
  | 'runs'
  | 'rejects'
  | 'totals'
  | 'keys'
  | 'keysVersion'
  | 'usage'
  | 'lastUses'
>;

export type FillTarget = Pick<
  Store,
  'putAssets' | 'putProfiles' | 'putBars' | 'publish' | 'addRejects' | 'addUsage'
> & {
  /** As they are, numbers included. */
  putRuns(runs: readonly Run[]): Promise<void>;
  putKeys(keys: readonly StoredKey[]): Promise<void>;
  /** After what is published. */
  putReplaced(batch: ReplacedBatch): Promise<void>;
  /** The last step: which assets are pending, and the versions that servers will see. */
  settle(state: FilledState): Promise<void>;
};

export interface FilledState {
  readonly pending: readonly AssetKey[];
  readonly version: number;
  readonly keysVersion: number;
}

/** An asset apart from its bars. */
export type AssetFacts = Omit<Asset, 'firstDay' | 'lastDay' | 'bars'>;

export interface AssetChanges {
  readonly version: number;
  readonly all: boolean;
  readonly assets: readonly AssetFacts[];
}

/** The key itself is nowhere: only its hash. */
export interface NewKey {
  /** Public, for lists, logs and metrics. */
  readonly id: string;
  /** SHA-256 of the key. */
  readonly hash: Uint8Array;
  readonly tier: string;
  readonly name: string | null;
  /** The last UTC day on which it is good; null: for ever. */
  readonly expires: Day | null;
}

export interface StoredKey extends NewKey {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export interface KeyUse {
  readonly keyId: string;
  readonly accepted: number;
  readonly refused: number;
}

export interface DailyUse extends KeyUse {
  readonly day: Day;
}

export interface StoredBars extends BarColumns {
  readonly count: number;
  /** The asset of each bar. */
  readonly key: Uint32Array;
}

export interface PublishedCloses {
  /** What is published. */
  readonly version: number;
  /** Oldest first; null when this is not the version that was asked for. */
  readonly closes: Closes | null;
}

/** Counts of assets × days: two bars of one asset and day in a batch are one. */
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

export interface DailyCloses {
  /** One more than there are keys: the closes of `keys[i]` are `starts[i] … starts[i + 1] - 1`. */
  readonly starts: Uint32Array;
  readonly close: Float64Array;
  /** Days of the oldest close of `keys[i]` of all, not only of these, and of the newest; without closes they mean nothing. */
  readonly firstDay: Int32Array;
  readonly lastDay: Int32Array;
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

/** A part of a publication: some hundred rows at a time keep memory small. */
export interface CurrentPart {
  readonly rows: readonly CurrentRow[];
  /** Assets that have no row any more. */
  readonly removed: readonly AssetKey[];
}

export interface CurrentChanges {
  readonly version: number;
  /** What `values` hold; null before anything was published. */
  readonly columns: string | null;
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

/** A run that met more unreadable lines than this has one cause, and its first lines show it. */
export const REJECTS_KEPT = 1000;

/**
 * A load a minute would fill a store in the end. As many of the newest runs are kept, and besides them the last one of each
 * source that went well, again as many: whether a load is due hangs on it, however many others came since.
 */
export const RUNS_KEPT = 1000;
/** So many of the newest runs have their rejects. */
export const REJECTED_RUNS_KEPT = 100;

export interface WriterLock {
  /** Aborted when the lock is lost although nobody released it: whoever holds it must stop writing. */
  readonly lost: AbortSignal;
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

/** A store that cannot be used, or not in this way: told to a person in one line, with what to do. */
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

export type StoreFault =
  | 'bad_url'
  /** Nothing is there, and nothing was to be made. */
  | 'missing'
  | 'unreachable'
  /** There are standbys only: what needs a primary fails, or what needs newer data than theirs; the rest works. */
  | 'no_primary'
  | 'newer_version'
  | 'corrupt'
  | 'not_a_store'
  | 'full'
  | 'read_only'
  /** To be filled, yet it holds something. */
  | 'not_empty'
  /** Another process wrote for longer than one waits. */
  | 'busy'
  | 'id_taken'
  | 'key_taken'
  | 'unknown_asset'
  | 'unknown_run';

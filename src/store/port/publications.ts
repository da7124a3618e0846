// Publications: the computed rows that servers show, and their version.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';

export interface PublicationStore {
  /**
   * Assets whose bars, facts or profile changed since their current row was published, by key. Given the columns that the
   * caller computes, every asset, when those published are others.
   */
  pending(columns?: string): Promise<AssetNumber[]>;
  /**
   * Writes rows, removes rows, clears the marks of both, and raises the version, in one transaction, which fails as a whole
   * when the parts do. Returns the new version. Parts may ask this store while they are made; of an asset that is in several
   * the last one counts. `columns` is `NAME,NAME…#HASH`, the columns of the values and a hash of their definitions (or no hash):
   * with others than before, the rows that it does not write are removed and their assets pending.
   */
  publish(columns: string, parts: AsyncIterable<CurrentPart> | Iterable<CurrentPart>): Promise<number>;
  /** 0 before anything was published. Cheap: servers ask several times a second. */
  version(): Promise<number>;
  /**
   * Rows published after `version`, with the version they bring. `all` when the caller must drop what it has, and the rows are
   * all there are: after a removal or a change of columns, and for a version that is 0 or not yet reached.
   */
  currentSince(version: number): Promise<CurrentChanges>;
}

export interface ChangeNotices {
  /**
   * Calls back soon after another handle or process has published rows or changed keys, and at times when none has: what to do
   * is for `version` and `keysVersion` to say. Where the database cannot tell (a standby, a lost connection) it does not call;
   * who must not miss a change asks now and then all the same. Returns how to stop.
   */
  watch(onChange: () => void): () => Promise<void>;
}

/** The computed row of one asset. */
export interface CurrentRow {
  readonly key: AssetNumber;
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
  readonly removed: readonly AssetNumber[];
}

export interface CurrentChanges {
  readonly version: number;
  /** What `values` hold; null before anything was published. */
  readonly columns: string | null;
  readonly all: boolean;
  readonly rows: readonly CurrentRow[];
}

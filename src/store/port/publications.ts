// Publications: the computed rows that servers show, and their version.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import type { CheckedSeries, StoredFinding } from './reviews.ts';

export interface PublicationStore {
  /**
   * Assets whose bars, facts or profile changed since their current row was published, by number. With `columns` that differ from the
   * published ones, every asset.
   */
  pending(columns?: string): Promise<AssetNumber[]>;
  /**
   * Writes and removes rows and findings, makes their assets no longer pending, and raises the version, in one transaction, which fails
   * as a whole if a part fails. Returns the new version. The parts may read this store while they are computed; if an asset is in several parts,
   * the last one counts. `columns` is `NAME,NAME…#HASH`, the columns of the values and a hash of their definitions (or no hash):
   * if they differ from before, all other rows are removed and their assets become pending.
   */
  publish(columns: string, parts: AsyncIterable<CurrentPart> | Iterable<CurrentPart>): Promise<number>;
  /** 0 before anything was published. Cheap: servers ask several times per second. */
  version(): Promise<number>;
  /** Of the publication, as they were given to `publish`; null before the first. */
  columns(): Promise<string | null>;
  /**
   * Rows published after `version`, and the version that they make up. With `all`, these are all rows and the caller must drop those it
   * has: after a removal or a change of columns, and for a version that is 0 or unknown to this store.
   */
  currentSince(version: number): Promise<CurrentChanges>;
  /** The same, but passes the rows to `take` in parts, which need not all be in memory at a time. */
  readCurrentSince(version: number, take: (rows: readonly CurrentRow[]) => void): Promise<Omit<CurrentChanges, 'rows'>>;
  /**
   * How many days an asset without a close stays active, for programs that read the database themselves; servers have it from their
   * settings. It does not wait for another process that writes: then the number stays as it is.
   */
  setActiveDays(days: number): Promise<void>;
  /**
   * The oldest period of each asset in which a publication after `version` has changed a published bar older than the newest one of then;
   * without assets that have none. Newest bars change without being here. For a version that is older than those that the store remembers,
   * some may be missing: `currentSince` then has `all`.
   */
  rewrittenSince(interval: BaseInterval, version: number): Promise<ReadonlyMap<AssetNumber, number>>;
  /** The published rows of these assets, those that have one; none if other columns are published. */
  currentOf(assets: readonly AssetNumber[], columns: string): Promise<CurrentRow[]>;
}

export interface ChangeNotices {
  /**
   * Calls back soon after another handle or process has published rows or changed API keys or alerts, and sometimes without a change:
   * compare `version` and `keysVersion`, and read the alerts. It does not call while the database cannot notify (a standby, a lost
   * connection), so that a caller that must not miss a change also polls. Returns how to stop.
   */
  watch(onChange: () => void): () => Promise<void>;
}

/** Columns of a publication whose names begin so are read by the next computation alone. */
export const STATE_PREFIX = 'state_';

/** The names of so many of them. */
export function stateColumns(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${STATE_PREFIX}${i + 1}`);
}

/** The computed row of one asset. */
export interface CurrentRow {
  readonly assetNumber: AssetNumber;
  /** Day of the latest close. */
  readonly day: Day;
  /** Days from the first close to the latest, both included: what `min_history` counts. */
  readonly history: number;
  readonly price: number;
  /** One per column of the publication; null is NaN. */
  readonly values: Float64Array;
}

/** A part of a publication: some hundred rows at a time keep memory small. */
export interface CurrentPart {
  readonly rows: readonly CurrentRow[];
  /** Assets that no longer have a row. */
  readonly removed: readonly AssetNumber[];
  readonly checked?: CheckedPart;
}

/** What checks of bars have found: `ReviewStore.replaceFindings` of it is done in the transaction of the publication. */
export interface CheckedPart {
  readonly interval: BaseInterval;
  readonly series: readonly CheckedSeries[];
  /** Gets those that were not there before. */
  readonly onAdded: (added: readonly StoredFinding[]) => void;
}

export interface CurrentChanges {
  readonly version: number;
  /** The columns of `values`; null before anything was published. */
  readonly columns: string | null;
  readonly all: boolean;
  readonly rows: readonly CurrentRow[];
}

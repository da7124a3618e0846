// What people say about bars: corrections, redenominations and migrations, accepted findings; and the findings themselves.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Finding } from '../../domain/finding.ts';
import type { BaseInterval } from '../../domain/interval.ts';

/**
 * Corrections and actions change what is served: each marks what it changes as unmerged and the assets as pending, in one transaction.
 * Acceptances change the state of a finding: they mark the asset as pending too, so that the next publication shows it.
 */
export interface ReviewStore {
  /** In the order in which they were entered, those that were undone too. */
  corrections(assets?: readonly AssetNumber[]): Promise<StoredCorrection[]>;
  /** Returns its number. Of several at one place, the newest one that is not undone counts. Fails for an unknown asset. */
  addCorrection(correction: NewCorrection): Promise<number>;
  /** As it was before; null if there is none of this number, or it was undone already. */
  undoCorrection(number: number): Promise<StoredCorrection | null>;
  /** In the order in which they were entered. */
  actions(): Promise<StoredAction[]>;
  /** All or none. Returns their numbers. Fails for an unknown asset. */
  addActions(actions: readonly NewAction[]): Promise<number[]>;
  /** As it was; null if there is none of this number. */
  removeAction(number: number): Promise<StoredAction | null>;
  /** By asset, interval, period, rule and source. */
  findings(of?: FindingSelection): Promise<StoredFinding[]>;
  /**
   * Replaces the findings of each series from a period on, except those that were recorded, and keeps the newest `FINDINGS_KEPT` of each asset, interval and rule. Returns
   * those that were not there before.
   */
  replaceFindings(interval: BaseInterval, checked: readonly CheckedSeries[]): Promise<StoredFinding[]>;
  /**
   * Adds findings that a load has made in what a source delivered, because the store keeps the bars without it: no check removes them. Keeps
   * the newest `FINDINGS_KEPT` of each asset, interval and rule. Returns those that were not there before.
   */
  recordFindings(found: readonly StoredFinding[]): Promise<StoredFinding[]>;
  /** The places of those that were recorded. */
  recordedFindings(): Promise<FindingPlace[]>;
  /** Removes those that were recorded at these places: other bars were stored there. */
  removeRecorded(places: readonly FindingPlace[]): Promise<void>;
  /** Those of the periods before this one, or all of the interval. Returns how many there were. */
  removeFindings(interval: BaseInterval, before?: number): Promise<number>;
  /** By asset, interval, period, rule and source. */
  acceptances(): Promise<StoredAcceptance[]>;
  /** Replaces the reason of one that is there. Fails for an unknown asset. */
  accept(place: FindingPlace, reason: string): Promise<void>;
  /** As it was; null if there is none. */
  removeAcceptance(place: FindingPlace): Promise<StoredAcceptance | null>;
  /**
   * Gives `into` the corrections, the findings that were recorded and the acceptances of `from`, except of the periods that `into` has a bar of its
   * own of, and the actions. What `into` has at the same place stays; an action that it has already is not moved. Returns how many were moved.
   */
  moveReviews(from: AssetNumber, into: AssetNumber, own: PeriodsOfIntervals): Promise<MovedReviews>;
  /** By interval. */
  checks(): Promise<StoredCheck[]>;
  putCheck(check: StoredCheck): Promise<void>;
  removeCheck(interval: BaseInterval): Promise<void>;
  /** Makes all checks incomplete. A role of a database needs no other right for it than to change that. */
  checkAllLater(): Promise<void>;
}

/** Of one asset, interval and rule. As many gaps of days as a year can have, and some more. */
export const FINDINGS_KEPT = 200;

export type NewCorrection = Omit<StoredCorrection, 'number' | 'createdAt' | 'undoneAt'>;
export type NewAction = Omit<StoredAction, 'number' | 'createdAt'>;

export interface FindingSelection {
  /** All without it. */
  readonly assets?: readonly AssetNumber[];
  /** All without it. */
  readonly interval?: BaseInterval;
  /** From this period on; of an interval that is given. */
  readonly from?: number;
}

/** The bars of one asset from a period on, and what was found. */
export interface CheckedSeries {
  readonly assetNumber: AssetNumber;
  /** Earlier findings stay. */
  readonly from: number;
  readonly findings: readonly Finding[];
}

/** An interval whose bars are checked. */
export interface StoredCheck {
  readonly interval: BaseInterval;
  /** The thresholds, by their names. */
  readonly settings: unknown;
  /** Whether all bars were checked with them; if not, the next publication does that. */
  readonly complete: boolean;
}

/** A bar that precedes those of all sources. */
export interface StoredCorrection {
  readonly number: number;
  readonly assetNumber: AssetNumber;
  readonly interval: BaseInterval;
  readonly period: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  /** Null: the period has no bar. */
  readonly close: number | null;
  readonly volume: number | null;
  readonly reason: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Null as long as it counts. */
  readonly undoneAt: string | null;
}

/** A redenomination, or with `fromAsset` a migration. */
export interface StoredAction {
  readonly number: number;
  readonly assetNumber: AssetNumber;
  /** The first one in new units. */
  readonly day: number;
  /** Old units per new one. */
  readonly ratio: number;
  /** The asset that became this one. */
  readonly fromAsset: AssetNumber | null;
  readonly reason: string;
  readonly createdAt: string;
}

export function isSameAction(a: NewAction, b: NewAction): boolean {
  return a.day === b.day && a.ratio === b.ratio && a.fromAsset === b.fromAsset;
}

export type PeriodsOfIntervals = Readonly<Record<BaseInterval, ReadonlySet<number>>>;

/** How many of each. */
export type MovedReviews = Readonly<Record<'corrections' | 'actions' | 'findings' | 'acceptances', number>>;

/** What identifies a finding. `source` is empty if it is about the served bars. */
export interface FindingPlace extends Pick<Finding, 'rule' | 'period'> {
  readonly assetNumber: AssetNumber;
  readonly interval: BaseInterval;
  readonly source: string;
}

/** As one text, the same for the same finding. */
export function placeOfFinding({ assetNumber, interval, period, rule, source }: FindingPlace): string {
  return `${assetNumber} ${interval} ${period} ${rule} ${source}`;
}

export interface StoredFinding extends FindingPlace, Pick<Finding, 'value' | 'expected' | 'detail'> {}

export interface StoredAcceptance extends FindingPlace {
  readonly reason: string;
  readonly createdAt: string;
}

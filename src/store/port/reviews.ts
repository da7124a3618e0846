// What people say about bars: corrections, redenominations and migrations, accepted findings; and the findings themselves.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Finding } from '../../domain/finding.ts';
import type { BaseInterval } from '../../domain/interval.ts';

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

/** What identifies a finding. `source` is empty if it is about the served bars of several sources. */
export interface FindingPlace extends Pick<Finding, 'rule' | 'period'> {
  readonly assetNumber: AssetNumber;
  readonly interval: BaseInterval;
  readonly source: string;
}

export interface StoredFinding extends FindingPlace, Pick<Finding, 'value' | 'expected' | 'detail'> {}

export interface StoredAcceptance extends FindingPlace {
  readonly reason: string;
  readonly createdAt: string;
}

// What a careful analyst would doubt about the bars of an asset. A finding changes no number.

export const RULE_NAMES = ['gap', 'stale', 'spike', 'shift', 'flat', 'volume', 'disagree', 'inconsistent'] as const;

export type RuleName = (typeof RULE_NAMES)[number];

/** Rule, period and source identify a finding: a later check of the same bars finds the same one again. */
export interface Finding {
  readonly rule: RuleName;
  /** The period in doubt; of several, the first. */
  readonly period: number;
  /** The number in doubt. */
  readonly value: number;
  /** What the number would be without the doubt; of a count, the largest that is not in doubt. */
  readonly expected: number;
  /** Null if the finding is about the served bars: a gap, or the end of the bars. */
  readonly source: string | null;
  /** One or more plain English sentences. */
  readonly detail: string;
}

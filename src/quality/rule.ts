// What a rule is: a pure function from the bars of one asset to findings.

import { partitionPoint } from '../common/partition-point.ts';
import type { Finding, RuleName } from '../domain/finding.ts';
import { CORRECTION, type SourceBars } from '../domain/source-bars.ts';
import type { RuleSettings } from './settings.ts';

/** The bars of one asset, as far as the rules look at them. */
export interface CheckedBars {
  /** What the price rule has made of the sources. */
  readonly served: SourceBars;
  /** In the order of the price rule, the preferred one first. */
  readonly sources: readonly SourceBars[];
  /** The newest period of the market; null for an asset that has ended, which is never stale. */
  readonly newest: number | null;
}

/** The findings of the periods `from …`, in ascending order within a source. Bars before `from` are looked at, but not reported. */
export type Rule = (bars: CheckedBars, from: number, settings: RuleSettings) => Finding[];

/** Adds a finding. */
export type Report = (period: number, value: number, expected: number, detail: string) => void;

/** Reports what is in doubt at the bars `start …` of one series. A close that is not a positive number is never in doubt. */
export type SeriesRule = (bars: SourceBars, start: number, settings: RuleSettings, report: Report) => void;

/** A rule about each source for itself. Corrections are few and far between: they are not a series. */
export function ofEachSource(rule: RuleName, check: SeriesRule): Rule {
  return ({ sources }, from, settings) => {
    const findings: Finding[] = [];
    for (const bars of sources) {
      if (bars.source === CORRECTION) continue;
      check(bars, firstAt(bars, from), settings, (period, value, expected, detail) =>
        findings.push({ rule, period, value, expected, source: bars.source, detail }),
      );
    }
    return findings;
  };
}

/** The index of the first bar of the periods `from …`. */
export function firstAt({ period }: SourceBars, from: number): number {
  return partitionPoint(0, period.length, i => period[i]! < from);
}

/** Whether logarithms and ratios of it make sense. */
export function isUsable(close: number): boolean {
  return close > 0 && close < Number.POSITIVE_INFINITY;
}

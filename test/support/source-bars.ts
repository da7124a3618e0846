// Bars of one asset for tests, written down by hand, and their findings as short texts.

import type { Finding } from '../../src/domain/finding.ts';
import { BAR_NUMBERS, type SourceBars, sourceBars } from '../../src/domain/source-bars.ts';
import type { CheckedBars, Rule } from '../../src/quality/rule.ts';
import { DEFAULT_RULE_SETTINGS, type RuleSettings } from '../../src/quality/settings.ts';

type Numbers = Partial<Record<(typeof BAR_NUMBERS)[number], readonly number[]>>;

/** Bars of the periods 0, 1, 2 … unless others are given. */
export function barsOf(numbers: Numbers, periods?: readonly number[], source: string | null = 'a'): SourceBars {
  const count = Math.max(...BAR_NUMBERS.map(name => numbers[name]?.length ?? 0));
  const bars = sourceBars(source, count);
  bars.period.set(periods ?? Array.from({ length: count }, (_, i) => i));
  for (const name of BAR_NUMBERS) if (numbers[name]) bars[name].set(numbers[name]);
  return bars;
}

export function closesOf(...close: readonly number[]): SourceBars {
  return barsOf({ close });
}

/** An asset whose only source is served as it is. */
export function onlyBars(bars: SourceBars, newest: number | null = null): CheckedBars {
  return { served: { ...bars, source: null }, sources: [bars], newest };
}

export function findingsOf(rule: Rule, bars: SourceBars, settings: Partial<RuleSettings> = {}): Finding[] {
  return rule(onlyBars(bars), Number.NEGATIVE_INFINITY, { ...DEFAULT_RULE_SETTINGS, ...settings });
}

/** `period: value, not expected` of each finding. */
export function shortly(findings: readonly Finding[]): string[] {
  return findings.map(({ period, value, expected }) => `${period}: ${value}, not ${expected}`);
}

export function repeated(value: number, count: number): number[] {
  return new Array<number>(count).fill(value);
}

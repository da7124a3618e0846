// All rules on the bars of one asset, and what a change of its bars makes it necessary to look at again.

import { type Finding, RULE_NAMES, type RuleName } from '../domain/finding.ts';
import type { SourceBars } from '../domain/source-bars.ts';
import { disagree } from './disagree.ts';
import { flat, flatSince } from './flat.ts';
import { gap } from './gap.ts';
import { inconsistent } from './inconsistent.ts';
import { type CheckedBars, firstAt, type Rule } from './rule.ts';
import type { RuleSettings } from './settings.ts';
import { shift } from './shift.ts';
import { spike } from './spike.ts';
import { stale } from './stale.ts';
import { volume } from './volume.ts';

export const RULES: Readonly<Record<RuleName, Rule>> = {
  gap,
  stale,
  spike,
  shift,
  flat,
  volume,
  disagree,
  inconsistent,
};

/** The findings of the periods `from …`, ordered by period, rule and source. */
export function check(bars: CheckedBars, settings: RuleSettings, from = Number.NEGATIVE_INFINITY): Finding[] {
  return RULE_NAMES.flatMap(name => RULES[name](bars, from, settings)).sort(inOrder);
}

function inOrder(a: Finding, b: Finding): number {
  return (
    a.period - b.period ||
    RULE_NAMES.indexOf(a.rule) - RULE_NAMES.indexOf(b.rule) ||
    (a.source ?? '').localeCompare(b.source ?? '', 'en')
  );
}

/**
 * The first period that must be looked at again after bars of the periods `firstChanged …` were added, replaced or removed: findings of
 * earlier periods stay as they are, and `check` from it finds all others. `bars` are those before the change or those after it.
 */
export function recheckFrom(bars: CheckedBars, settings: RuleSettings, firstChanged: number): number {
  const starts = [bars.served, ...bars.sources].map(each => firstAffected(each, settings, firstChanged));
  return Math.min(...starts);
}

function firstAffected(bars: SourceBars, settings: RuleSettings, firstChanged: number): number {
  const changed = firstAt(bars, firstChanged);
  if (changed === 0) return firstChanged; // no bar before the change, and so no finding
  return bars.period[Math.max(0, Math.min(changed - lookBack(settings), flatSince(bars, changed - 1)))]!;
}

/** How many bars before a changed one the windows of a rule can reach it from. */
export function lookBack(settings: RuleSettings): number {
  const after = (window: number) => window - (window >> 1);
  return Math.max(1, after(settings['spike-window']), after(settings['volume-window']), settings['shift-window']);
}

/** How many bars before a changed one `recheckFrom` and `check` look at, unless there is a longer row of equal closes. */
export function context(settings: RuleSettings): number {
  const before = Math.max(settings['spike-window'] >> 1, settings['volume-window'] >> 1, settings['shift-window']);
  return Math.max(lookBack(settings) + before, settings['flat-closes']) + 1;
}

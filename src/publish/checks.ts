// Which bars are checked, and with which thresholds: settings that a store keeps, because every process that publishes checks.

import type { BaseInterval } from '../domain/interval.ts';
import { DEFAULT_RULE_SETTINGS, parseRuleSettings, type RuleSettings } from '../quality/settings.ts';
import type { ReviewStore } from '../store/store.ts';

export interface WantedChecks {
  /** Undefined: the store keeps those that it has, at first days. Days are always checked. */
  readonly intervals?: readonly BaseInterval[] | undefined;
  /** Undefined: the store keeps those that it has, at first the defaults. */
  readonly settings?: RuleSettings | undefined;
}

/** What is new is checked with the next publication. Returns whether anything is. */
export async function setChecks(store: ReviewStore, wanted: WantedChecks): Promise<boolean> {
  if (wanted.intervals === undefined && wanted.settings === undefined) return false;
  const stored = await store.checks();
  const settings = wanted.settings ?? (await thresholds(store));
  const before = stored.map(({ interval }) => interval);
  const intervals = new Set<BaseInterval>(['1d', ...(wanted.intervals ?? before)]);
  let differs = false;
  for (const interval of before) {
    if (intervals.has(interval)) continue;
    differs = true;
    await store.removeFindings(interval);
    await store.removeCheck(interval);
  }
  for (const interval of intervals) {
    const known = stored.find(each => each.interval === interval);
    if (known !== undefined && isSame(parseRuleSettings(known.settings), settings)) continue;
    differs = true;
    await store.putCheck({ interval, settings, complete: false });
  }
  return differs;
}

/** The next publication checks all bars again. */
export async function checkAgain(store: ReviewStore): Promise<void> {
  const stored = await store.checks();
  const settings = await thresholds(store);
  for (const { interval } of stored.length === 0 ? [{ interval: '1d' as const }] : stored)
    await store.putCheck({ interval, settings, complete: false });
}

/** Those of the store. */
export async function thresholds(store: Pick<ReviewStore, 'checks'>): Promise<RuleSettings> {
  const days = (await store.checks()).find(({ interval }) => interval === '1d');
  return days === undefined ? DEFAULT_RULE_SETTINGS : parseRuleSettings(days.settings);
}

function isSame(a: RuleSettings, b: RuleSettings): boolean {
  return JSON.stringify(parseRuleSettings(a)) === JSON.stringify(parseRuleSettings(b));
}

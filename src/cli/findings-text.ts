// Findings in words, and the settings of the checks.

import type { Config } from '../config.ts';
import { ConfigError } from '../config.ts';
import { RULE_NAMES, type RuleName } from '../domain/finding.ts';
import type { BaseInterval } from '../domain/interval.ts';
import type { WantedChecks } from '../publish/checks.ts';
import { ruleSettingsOf } from '../quality/settings.ts';
import { storeFlag } from './program.ts';
import { count, counted, styled } from './terminal.ts';

export function checksOf(config: Pick<Config, 'check-intervals' | 'check-thresholds'>): WantedChecks {
  const [intervals, thresholds] = [config['check-intervals'], config['check-thresholds']];
  try {
    return {
      intervals: intervals === '' ? undefined : (intervals.split(',') as BaseInterval[]), // by the form of the setting
      settings: thresholds === '' ? undefined : ruleSettingsOf(thresholds),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigError(`check-thresholds: ${error.message}`);
  }
}

/** `2 new findings: 1 gap, 1 spike ('tidemark check' lists them)`, with the flag of the store; null if there are none. */
export function findingsLine(byRule: Readonly<Partial<Record<RuleName, number>>>, store: string): string | null {
  const total = Object.values(byRule).reduce((sum, each) => sum + each, 0);
  if (total === 0) return null;
  const rules = RULE_NAMES.flatMap(rule => (byRule[rule] === undefined ? [] : [`${count(byRule[rule])} ${rule}`]));
  const check = `'tidemark check${storeFlag(store)}' lists them`;
  return `${styled('yellow', counted(total, 'new finding'))}: ${rules.join(', ')} (${check})`;
}

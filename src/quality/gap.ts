// gap: one or more periods without a bar between two bars. The finding is at the first of them; its value is their number.

import type { Finding } from '../domain/finding.ts';
import { firstAt, type Rule } from './rule.ts';
import { periodsText } from './wording.ts';

export const gap: Rule = (bars, from) => {
  const { period } = bars.served;
  const findings: Finding[] = [];
  for (let i = Math.max(firstAt(bars.served, from), 1); i < period.length; i++) {
    const missing = period[i]! - period[i - 1]! - 1;
    if (missing === 0 || period[i - 1]! + 1 < from) continue;
    const detail = `There is no bar for ${periodsText(missing)}.`;
    findings.push({ rule: 'gap', period: period[i - 1]! + 1, value: missing, expected: 0, source: null, detail });
  }
  return findings;
};

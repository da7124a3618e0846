// stale: no bar for more than 3 periods while the market goes on. The finding is at the first period without a bar; its value is the
// number of periods up to the newest of the market.

import type { Finding } from '../domain/finding.ts';
import type { Rule } from './rule.ts';
import type { RuleSettings } from './settings.ts';
import { periodsText } from './wording.ts';

/** Of an asset whose newest bar is of the period `last`. */
export function staleSince(
  last: number,
  newest: number,
  settings: Pick<RuleSettings, 'stale-periods'>,
): readonly Finding[] {
  const missing = newest - last;
  const limit = settings['stale-periods'];
  if (!(missing > limit)) return [];
  const detail = `There is no bar for ${periodsText(missing)}, while the market goes on.`;
  return [{ rule: 'stale', period: last + 1, value: missing, expected: limit, source: null, detail }];
}

export const stale: Rule = (bars, from, settings) => {
  const last = bars.served.period.at(-1);
  if (last === undefined || bars.newest === null || last + 1 < from) return [];
  return [...staleSince(last, bars.newest, settings)];
};

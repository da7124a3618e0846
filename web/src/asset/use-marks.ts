// The findings and actions of an asset, from the service.

import type { ActionsRow, FindingsRow } from '../../../client/src/index.ts';
import { tidemark } from '../api.ts';
import { type Requested, useRequest } from '../use-request.ts';
import type { Mark } from './marks.ts';

/** Rows that are asked for. */
const MOST = 100;

/** The newest first. */
export function useMarks(id: string, symbol: string): Requested<readonly Mark[]> {
  return useRequest(`${id} ${symbol}`, async signal => {
    const query = { symbol, limit: MOST };
    const [findings, actions] = await Promise.all([
      tidemark.findings(query, { signal }).page(),
      tidemark.actions(query, { signal }).page(),
    ]);
    // A ticker may belong to several assets.
    const own = <Row extends { readonly id?: string }>(rows: readonly Row[]) => rows.filter(row => row.id === id);
    return [...own(findings.result).map(ofFinding), ...own(actions.result).map(ofAction)].sort(
      (a, b) => b.start - a.start,
    );
  });
}

function ofFinding({ datetimeUTC, rule, detail, state, interval }: FindingsRow): Mark {
  return { start: secondsOf(datetimeUTC), kind: 'finding', name: rule, text: detail, state, interval };
}

function ofAction({ datetimeUTC, ratio, from_id: from, reason }: ActionsRow): Mark {
  const what = from === null ? `One new unit is ${ratio} old ones.` : `Before this day, the bars are those of ${from}.`;
  const text = reason === '' ? what : `${what} ${reason}`;
  const name = from === null ? 'redenomination' : 'migration';
  return { start: secondsOf(datetimeUTC), kind: 'action', name, text, state: '', interval: '1d' };
}

function secondsOf(time: string): number {
  return Date.parse(time) / 1000;
}

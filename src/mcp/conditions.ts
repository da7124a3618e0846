// The conditions that `and` joins: how many rows each selects alone tells a model which one to relax.

import type { Steps } from '../common/steps.ts';
import { TA_CUR } from '../domain/datasets.ts';
import { type EarlierValues, withEarlier } from '../query/execute/earlier-values.ts';
import { executeInSteps, totalInSteps } from '../query/execute/execute.ts';
import { conjuncts } from '../query/expression/parser.ts';
import { parsePlan } from '../query/parse/parse-plan.ts';
import type { Table } from '../snapshot/table.ts';
import { queryText } from './rest-url.ts';

/** More than these are not counted: each is a query. */
const MOST = 6;

/** `Alone: price > 1 selects 20, change7 > 50 selects 0.`; empty if there is only one condition. */
export function* countsAlone(where: string, table: Table, earlier: EarlierValues): Steps<string> {
  const parts = conjuncts(where);
  if (parts.length < 2 || parts.length > MOST) return '';
  const counts: string[] = [];
  for (const part of parts) {
    const plan = withEarlier(parsePlan(TA_CUR, queryText({ where: part })), earlier);
    const page = yield* executeInSteps(plan, table, 1);
    counts.push(`${part} selects ${yield* totalInSteps(page)}`);
  }
  return `Alone: ${counts.join(', ')}.`;
}

// The rows of `ta-cur/facets`: how many of the rows that a query selects have each type and each tag.

import type { Steps } from '../../common/steps.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { FACETS } from '../../domain/facets.ts';
import type { Table } from '../../snapshot/table.ts';
import { matchingRows } from '../execute/matching-rows.ts';
import { parsePlan } from '../parse/parse-plan.ts';
import type { Plan } from '../parse/plan.ts';
import { answerPlan, summaryTable } from './summary-table.ts';

/** The rows that are counted. */
const QUERIED = { ...TA_CUR, isStreamed: false };

export interface FacetsPlan {
  /** Selects the rows. */
  readonly query: Plan;
  readonly answer: Plan;
}

export function parseFacets(text: string): FacetsPlan {
  const query = parsePlan(QUERIED, text);
  return { query, answer: answerPlan(query, FACETS, [], query.rest) };
}

/** Stops after each step. */
export function* facetsTable({ query, answer }: FacetsPlan, table: Table): Steps<Table> {
  const { words } = yield* matchingRows(query, table);
  yield;
  const rows = (['type', 'tag'] as const).flatMap(facet => {
    const counts = [...(table.profiles?.counts(facet, words) ?? [])].filter(([, count]) => count > 0);
    counts.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return counts.map(([value, count]) => ({ facet, value: value.toLowerCase(), count }));
  });
  return summaryTable(answer.dataset, rows);
}

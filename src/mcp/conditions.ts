// The conditions that `and` joins: how many rows each selects alone tells a model which one to relax.

import type { Steps } from '../common/steps.ts';
import { TA_CUR } from '../domain/datasets.ts';
import { type EarlierValues, withEarlier } from '../query/execute/earlier-values.ts';
import { executeInSteps } from '../query/execute/execute.ts';
import { whereSource } from '../query/expression/expression-source.ts';
import { tokenize } from '../query/expression/tokens.ts';
import { totalInSteps } from '../query/page.ts';
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

/** The whole if an `or` joins its parts. `where` is a valid expression. */
function conjuncts(where: string): string[] {
  const starts = [0];
  const ends: number[] = [];
  let [depth, isBetween] = [0, false];
  for (const token of tokenize(whereSource(where))) {
    if (token.kind !== 'fixed') continue;
    const { text, at } = token;
    if (text === '(') depth++;
    if (text === ')') depth--;
    if (depth > 0) continue;
    if (text === 'or') return [where];
    if (text === 'between') isBetween = true;
    if (text !== 'and') continue;
    if (!isBetween) {
      ends.push(at);
      starts.push(at + text.length);
    }
    isBetween = false;
  }
  return starts.map((start, i) => where.slice(start, ends[i]).trim());
}

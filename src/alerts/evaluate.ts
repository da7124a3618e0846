// Which assets a query matches, and what changed since it was last evaluated.

import type { AlertDirection } from '../domain/alert.ts';
import { execute } from '../query/execute/execute.ts';
import type { Plan } from '../query/parse/plan.ts';
import { textAt } from '../snapshot/columns/texts.ts';
import { columnOf, type Table } from '../snapshot/table.ts';

/** The tickers of all rows that match, or of the first ones if the query has a limit; in the order of the query. */
export function matchesOf(plan: Plan, table: Table): string[] {
  const { rows } = execute(plan, table, plan.limit ?? Math.max(1, table.rows));
  const symbols = columnOf(table, 'symbol', 'text');
  return Array.from(rows, row => textAt(symbols, row)!); // every row of the listing has a ticker
}

export interface Change {
  readonly entered: readonly string[];
  readonly left: readonly string[];
}

/** In the order of the query for those that entered, by ticker for those that left. */
export function changeOf(before: readonly string[], now: readonly string[]): Change {
  const [had, has] = [new Set(before), new Set(now)];
  return { entered: now.filter(symbol => !had.has(symbol)), left: before.filter(symbol => !has.has(symbol)) };
}

/** What an alert reports of a change; null: nothing. */
export function reportable({ entered, left }: Change, on: AlertDirection): Change | null {
  const report = { entered: on === 'leave' ? [] : entered, left: on === 'enter' ? [] : left };
  return report.entered.length + report.left.length > 0 ? report : null;
}

// Which assets a query matches, and what changed since it was last evaluated.

import type { AlertDirection } from '../domain/alert.ts';
import { tickerKey } from '../domain/asset-state.ts';
import { execute } from '../query/execute.ts';
import type { Plan } from '../query/plan.ts';
import { pageOf } from '../render/computed-page.ts';
import { JSON_PAGE } from '../render/json.ts';
import { renderPage } from '../render/page.ts';
import type { Table, TextData } from '../snapshot/table.ts';
import { textAt } from '../snapshot/texts.ts';

/** Rows that a message shows of those that entered, and of those that left. */
export const ROWS_SHOWN = 20;

/** The tickers of all rows that match, or of the first ones if the query has a limit; in the order of the query. */
export function matchesOf(plan: Plan, table: Table): string[] {
  const { rows } = execute(plan, table, plan.limit ?? Math.max(1, table.rows));
  const symbols = symbolColumn(table);
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

/**
 * The first rows of these tickers as a JSON array, with the columns of the plan and the ticker. One that the listing no longer has is
 * an object with the ticker alone.
 */
export function rowsJson(plan: Plan, table: Table, symbols: readonly string[]): string {
  const at = table.dataset.columns.findIndex(({ name }) => name === table.dataset.tieBreaker);
  const columns = plan.columns.includes(at) ? plan.columns : [at, ...plan.columns];
  const texts = symbols.slice(0, ROWS_SHOWN).map(symbol => {
    const rows = table.symbols.rowsOf([tickerKey(symbol)]);
    if (rows.length === 0) return JSON.stringify({ symbol });
    return renderPage(pageOf({ ...plan, columns }, table, rows.subarray(0, 1)), JSON_PAGE)
      .toString()
      .slice(1, -1);
  });
  return `[${texts.join(',')}]`;
}

function symbolColumn({ dataset, columns }: Table): TextData {
  const data = columns[dataset.columns.findIndex(({ name }) => name === dataset.tieBreaker)];
  if (data?.kind !== 'text') throw new TypeError('the listing has no column of tickers');
  return data;
}

// The rows that a message shows of the assets that entered or left.

import { tickerKey } from '../domain/asset-state.ts';
import type { Column } from '../domain/columns.ts';
import { unitIn } from '../domain/quote.ts';
import type { Plan } from '../query/parse/plan.ts';
import { usedColumns } from '../query/parse/used-columns.ts';
import { pageOf } from '../render/computed-page.ts';
import { JSON_PAGE } from '../render/json.ts';
import { renderPage } from '../render/page.ts';
import type { Table } from '../snapshot/table.ts';

/** Rows that a message shows of those that entered, and of those that left. */
export const ROWS_SHOWN = 20;

/** A row of the listing, as its JSON has it; of an asset that the listing no longer has, the ticker alone. */
export type ReportRow = Readonly<Record<string, string | number | boolean | null>> & { readonly symbol: string };

/** Of the assets that entered, or of those that left. */
export interface ReportSide {
  /** How many there are. */
  readonly count: number;
  /** The first of them. */
  readonly rows: readonly ReportRow[];
}

/** The price, and every column that the query names, in the order of the listing. */
/** With their units in the quote of the plan, by its ticker. */
export function namedColumns(plan: Plan): Column[] {
  return namedIndexes(plan)
    .map(index => plan.dataset.columns[index]!)
    .filter(({ name }) => name !== 'symbol' && name !== 'datetimeUTC')
    .map(column => (plan.unit === null ? column : { ...column, unit: unitIn(column.unit, plan.unit) }));
}

/** With the columns of the plan, and those that it names. */
export function reportSide(plan: Plan, table: Table, symbols: readonly string[]): ReportSide {
  const shown = symbols.slice(0, ROWS_SHOWN);
  const columns = [...new Set([...plan.columns, ...namedIndexes(plan)])].sort((a, b) => a - b);
  const found = shown.flatMap(symbol => [...table.symbols.rowsOf([tickerKey(symbol)]).subarray(0, 1)]);
  const json = renderPage(pageOf({ ...plan, columns }, table, Uint32Array.from(found)), JSON_PAGE).toString();
  const listed = JSON.parse(json) as ReportRow[]; // rows of the listing with their tickers
  const bySymbol = new Map(listed.map(row => [row.symbol, row]));
  return { count: symbols.length, rows: shown.map(symbol => bySymbol.get(symbol) ?? { symbol }) };
}

function namedIndexes(plan: Plan): number[] {
  const { dataset, computed, filters, where, sort } = plan;
  const always = dataset.columns.flatMap(({ name }, i) => (name === 'symbol' || name === 'price' ? i : []));
  const added = plan.columns.filter(index => isAdded(dataset.columns[index]!));
  return [...usedColumns([always, added, filters, where?.node, computed, sort])].sort((a, b) => a - b);
}

/** Whether a row has it only because the query asks for it. */
function isAdded(column: Column): boolean {
  return 'group' in column || column.kind === 'computed';
}

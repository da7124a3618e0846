// The request of the API that is behind a view.

import type { Query as Params } from '../../../client/src/query-string.ts';
import { OPERATORS, rangeText, TREND, type View } from './view.ts';

/** Days before the latest close whose closes the trend shows: the price and the changes of a row give each of them. */
export const TREND_DAYS = [90, 50, 30, 20, 10, 7, 5, 1] as const;

/** What a request has to know of a column. */
export interface ListedColumn {
  readonly name: string;
  /** Of optional columns. */
  readonly group?: string;
}

/** Without `limit` and `page`. `symbols` are the tickers that a search found, null without a search. */
export function listingParams(view: View, all: readonly ListedColumn[], symbols: readonly string[] | null): Params {
  const ranges: Record<string, string[]> = {};
  const comparisons: string[] = [];
  const filled: string[] = [];
  for (const filter of view.filters) {
    if (filter.kind === 'range') ranges[filter.column] = [...(ranges[filter.column] ?? []), rangeText(filter)];
    else if (filter.kind === 'not_null') filled.push(filter.column);
    else comparisons.push(`[${filter.left}]${OPERATORS[filter.operator].sign}:[${filter.right}]`);
  }
  const shown = columnsNeeded(view);
  const namesOf = (some: readonly ListedColumn[]) => some.map(({ name }) => name);
  const included = namesOf(all.filter(({ name, group }) => group !== undefined && shown.has(name)));
  const excluded = namesOf(all.filter(({ name, group }) => group === undefined && !shown.has(name)));
  return {
    sort: view.sort,
    order: view.order,
    ...ranges,
    comparison: comparisons,
    not_null: joined(filled),
    min_history: view.minHistory ?? undefined,
    as_of: view.asOf ?? undefined,
    symbol: symbols === null ? undefined : symbols.join(','),
    incl_cols: joined(included),
    excl_cols: joined(excluded),
  };
}

function columnsNeeded(view: View): Set<string> {
  const needed = new Set(['symbol', view.sort, ...view.columns]);
  if (needed.delete(TREND)) for (const name of ['price', ...TREND_DAYS.map(days => `change${days}`)]) needed.add(name);
  return needed;
}

function joined(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.join(',');
}

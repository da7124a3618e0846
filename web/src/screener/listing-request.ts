// The request of the API that is behind a view.

import type { Query as Params } from '../../../client/src/query-string.ts';
import { intervalParam } from '../interval.ts';
import { quoteParam } from '../quote.ts';
import type { View } from './view.ts';

/** What a request has to know of a column. */
export interface ListedColumn {
  readonly name: string;
  /** Of optional columns. */
  readonly group?: string;
}

/** Without `limit` and `page`. `symbols` are the tickers that a search found, null without a search. */
export function listingParams(view: View, all: readonly ListedColumn[], symbols: readonly string[] | null): Params {
  const shown = columnsNeeded(view);
  const included = all.filter(({ name, group }) => group !== undefined && shown.has(name));
  const usual = [...all.filter(({ group }) => group === undefined), ...view.computed];
  const excluded = usual.filter(({ name }) => !shown.has(name));
  return {
    sort: view.sort,
    order: view.order,
    ...filterParams(view, symbols),
    incl_cols: joined(included.map(({ name }) => name)),
    excl_cols: joined(excluded.map(({ name }) => name)),
  };
}

/** What selects the rows, with the computed columns that it may name. */
export function filterParams(view: View, symbols: readonly string[] | null): Params {
  return {
    calc: view.computed.map(({ name, expression }) => `${name}:${expression}`),
    where: view.where.trim() || undefined,
    tag: joined(view.tags),
    type: joined(view.types),
    min_history: view.minHistory ?? undefined,
    inactive: view.inactive ? 'true' : undefined,
    as_of: view.asOf ?? undefined,
    interval: intervalParam(view.interval),
    quote: quoteParam(view.quote),
    symbol: joined(tickersOf(view, symbols)),
  };
}

/** Of a search, a watchlist, or both. */
export function tickersOf({ symbols: listed }: View, found: readonly string[] | null): readonly string[] {
  if (found === null || listed.length === 0) return found ?? listed;
  const wanted = new Set(listed.map(symbol => symbol.toUpperCase()));
  return found.filter(symbol => wanted.has(symbol.toUpperCase()));
}

function columnsNeeded(view: View): Set<string> {
  return new Set(['symbol', view.sort, ...view.columns]);
}

function joined(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.join(',');
}

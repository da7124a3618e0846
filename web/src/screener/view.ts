// What the screener shows, as a value that the page's address holds: columns, order, filters, search.

import { encode } from '../../../client/src/query-string.ts';

export const OPERATORS = {
  gt: { sign: '>', words: 'is above' },
  ge: { sign: '>=', words: 'is at or above' },
  lt: { sign: '<', words: 'is below' },
  le: { sign: '<=', words: 'is at or below' },
  eq: { sign: '=', words: 'equals' },
  ne: { sign: '!=', words: 'differs from' },
} as const;

export type Operator = keyof typeof OPERATORS;
export type Order = 'asc' | 'desc';

export type Filter =
  /** Both ends included; null is open. */
  | { readonly kind: 'range'; readonly column: string; readonly low: number | null; readonly high: number | null }
  | { readonly kind: 'comparison'; readonly left: string; readonly operator: Operator; readonly right: string }
  | { readonly kind: 'not_null'; readonly column: string };

export interface View {
  /** Besides the asset itself, in this order. */
  readonly columns: readonly string[];
  readonly sort: string;
  readonly order: Order;
  readonly filters: readonly Filter[];
  /** Daily closes that an asset must have. */
  readonly minHistory: number | null;
  /** Ticker or name, or a part of it. */
  readonly query: string;
  /** Only the assets with the youngest history. */
  readonly newest: boolean;
  /** The inactive assets instead of the listing. */
  readonly inactive: boolean;
  /** The market of this past UTC day, such as 2025-12-31; null: the newest closes, live. */
  readonly asOf: string | null;
  /** Of keys whose tier gives a few rows at a time; others scroll. */
  readonly page: number;
}

/** Assets that `newest` stands for: a fixed number, so that the table is not empty after a quiet month. */
export const NEWEST = 25;

/** A picture of the last 90 days, drawn from the changes of a row; not a column of the API. */
export const TREND = 'trend';

export const DEFAULT_VIEW: View = {
  columns: ['price', 'change1', TREND, 'change7', 'change30', 'change365', 'sma50', 'sma200', 'vol30'],
  sort: 'change1',
  order: 'desc',
  filters: [],
  minHistory: null,
  query: '',
  newest: false,
  inactive: false,
  asOf: null,
  page: 1,
};

/** `known` are the listing's columns. What the address has wrong is ignored. */
export function parseView(search: string, known: ReadonlySet<string>): View {
  const params = new URLSearchParams(search);
  const listed = (name: string) =>
    (params.get(name) ?? '').split(',').filter(each => known.has(each) || each === TREND);
  const columns = [...new Set(listed('cols'))].filter(name => name !== 'symbol');
  const sort = params.get('sort') ?? '';
  return {
    columns: columns.length > 0 ? columns : DEFAULT_VIEW.columns,
    sort: known.has(sort) ? sort : DEFAULT_VIEW.sort,
    order: params.get('order') === 'asc' ? 'asc' : 'desc',
    filters: [
      ...[...params].flatMap(([name, value]) => (known.has(name) ? parseRange(name, value) : [])),
      ...params.getAll('cmp').flatMap(text => parseComparison(text, known)),
      ...listed('not_null').map(column => ({ kind: 'not_null', column }) as const),
    ],
    minHistory: positiveInteger(params.get('min_history')),
    query: params.get('q') ?? '',
    newest: params.get('newest') === '1',
    inactive: params.get('inactive') === '1',
    asOf: dayOrNull(params.get('as_of')),
    page: positiveInteger(params.get('page')) ?? 1,
  };
}

/** The page's address for a view, without what is the default. */
export function viewAddress(view: View): string {
  const pairs: [string, string][] = [];
  if (view.query !== '') pairs.push(['q', view.query]);
  if (view.newest) pairs.push(['newest', '1']);
  if (view.inactive) pairs.push(['inactive', '1']);
  if (view.asOf !== null) pairs.push(['as_of', view.asOf]);
  if (view.sort !== DEFAULT_VIEW.sort || view.order !== DEFAULT_VIEW.order) {
    pairs.push(['sort', view.sort], ['order', view.order]);
  }
  for (const filter of view.filters) {
    if (filter.kind === 'range') pairs.push([filter.column, rangeText(filter)]);
    else if (filter.kind === 'comparison') pairs.push(['cmp', `${filter.left}.${filter.operator}.${filter.right}`]);
  }
  const filled = view.filters.flatMap(filter => (filter.kind === 'not_null' ? [filter.column] : []));
  if (filled.length > 0) pairs.push(['not_null', filled.join(',')]);
  if (view.minHistory !== null) pairs.push(['min_history', String(view.minHistory)]);
  if (view.columns.join() !== DEFAULT_VIEW.columns.join()) pairs.push(['cols', view.columns.join(',')]);
  if (view.page > 1) pairs.push(['page', String(view.page)]);
  const query = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  return query === '' ? '/' : `/?${query}`;
}

export function rangeText({ low, high }: { readonly low: number | null; readonly high: number | null }): string {
  return `${low ?? ''}:${high ?? ''}`;
}

function parseRange(column: string, text: string): Filter[] {
  const [, low = '', high = ''] = /^([^:]*):([^:]*)$/.exec(text) ?? [];
  const range = { kind: 'range', column, low: numberOrNull(low), high: numberOrNull(high) } as const;
  return range.low === null && range.high === null ? [] : [range];
}

function parseComparison(text: string, known: ReadonlySet<string>): Filter[] {
  const [left = '', operator = '', right = ''] = text.split('.');
  if (!known.has(left) || !known.has(right) || !isOperator(operator)) return [];
  return [{ kind: 'comparison', left, operator, right }];
}

export function isOperator(text: string): text is Operator {
  return Object.hasOwn(OPERATORS, text);
}

function numberOrNull(text: string): number | null {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
}

function dayOrNull(text: string | null): string | null {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}

function positiveInteger(text: string | null): number | null {
  const number = Number(text);
  return text !== null && Number.isSafeInteger(number) && number >= 1 ? number : null;
}

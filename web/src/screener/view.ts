// What the screener shows, as a value that the page's address holds: columns, order, filters, search.

import { encode } from '../../../client/src/query-string.ts';
import { dayOfMoment, momentOrNull } from '../day.ts';
import { intervalOf, isFine, type ListedInterval, listedInterval } from '../interval.ts';
import { absentColumns, isAbsent } from '../market-columns.ts';

export type Order = 'asc' | 'desc';

/** A column that an expression computes (`calc=name:expression`). */
export interface Computed {
  readonly name: string;
  readonly expression: string;
}

export interface View {
  /** Besides the asset itself, in this order. */
  readonly columns: readonly string[];
  readonly computed: readonly Computed[];
  readonly sort: string;
  readonly order: Order;
  /** An expression that holds for every row; the form filters show its parts. */
  readonly where: string;
  /** Only assets with one of these tags; empty: all. */
  readonly tags: readonly string[];
  readonly types: readonly string[];
  /** Only these tickers, such as those of a watchlist; empty: all. */
  readonly symbols: readonly string[];
  /** Closes that an asset must have, one per period. */
  readonly minHistory: number | null;
  /** Ticker or name, or a part of it. */
  readonly query: string;
  /** With the inactive assets. */
  readonly inactive: boolean;
  /** The market of this past UTC day or time, such as 2025-12-31; null: the newest closes, live. */
  readonly asOf: string | null;
  readonly interval: ListedInterval;
  /** Of keys whose tier gives a few rows at a time; others scroll. */
  readonly page: number;
}

/** A picture of the last 90 periods; not a column of the API. */
export const TREND = 'trend';

/** As many as a request may have. */
export const MOST_COMPUTED = 8;

export const DEFAULT_VIEW: View = {
  columns: ['rank', 'price', 'change1', 'change7', 'change30', 'change365', TREND, 'market_cap', 'turnover', 'vol30'],
  computed: [],
  sort: 'rank',
  order: 'asc',
  where: '',
  tags: [],
  types: [],
  symbols: [],
  minHistory: null,
  query: '',
  inactive: false,
  asOf: null,
  interval: '1d',
  page: 1,
};

/** By rank; on past days, of which ranks may not be recorded, by turnover; without volumes by volatility. */
export function usualOrder(asOf: string | null): Pick<View, 'sort' | 'order'> {
  if (asOf === null && !isAbsent('rank')) return { sort: 'rank', order: 'asc' };
  return { sort: isAbsent('turnover') ? 'vol30' : 'turnover', order: 'desc' };
}

/** Without those that have no value in this store. */
export function present(columns: readonly string[]): readonly string[] {
  return columns.filter(name => !absentColumns.value.has(name));
}

/** What the address `/` shows. */
export function defaultView(): View {
  return { ...DEFAULT_VIEW, columns: present(DEFAULT_VIEW.columns), ...usualOrder(null) };
}

export function hasUsualOrder({ asOf, sort, order }: View): boolean {
  const usual = usualOrder(asOf);
  return sort === usual.sort && order === usual.order;
}

/** `known` are the listing's columns. What the address has wrong is ignored, except an expression: the service says what is wrong with it. */
export function parseView(search: string, known: ReadonlySet<string>): View {
  const params = new URLSearchParams(search);
  const list = (name: string) => [...new Set((params.get(name) ?? '').split(',').filter(each => each !== ''))];
  const computed = params
    .getAll('calc')
    .flatMap(text => parseComputed(text, known))
    .slice(0, MOST_COMPUTED);
  const isColumn = (name: string) => known.has(name) || computed.some(each => each.name === name);
  const columns = list('cols').filter(name => name !== 'symbol' && (isColumn(name) || name === TREND));
  const named = params.get('sort') ?? '';
  const sort = isColumn(named) ? named : '';
  const interval = listedInterval(intervalOf(params.get('interval')));
  const asOf = momentOrNull(params.get('as_of'), interval);
  const usual = usualOrder(asOf);
  return {
    columns: columns.length > 0 ? columns : present(DEFAULT_VIEW.columns),
    computed,
    sort: sort === '' ? usual.sort : sort,
    order: orderOf(params.get('order')) ?? (sort === '' ? usual.order : 'desc'),
    where: params.get('where') ?? '',
    tags: list('tag'),
    types: list('type'),
    symbols: list('symbols'),
    minHistory: positiveInteger(params.get('min_history')),
    query: params.get('q') ?? '',
    inactive: params.get('inactive') === '1',
    asOf,
    interval,
    page: positiveInteger(params.get('page')) ?? 1,
  };
}

function orderOf(text: string | null): Order | null {
  return text === 'asc' || text === 'desc' ? text : null;
}

/** What another day changes. The usual order stays the usual one, and ranks and supplies may have no record to order by. */
export function dayChanges(view: View, asOf: string | null): Pick<View, 'asOf' | 'sort' | 'order'> {
  const hasHistory = !['rank', 'market_cap', 'supply'].includes(view.sort);
  const keepsOrder = !hasUsualOrder(view) && (asOf === null || hasHistory);
  const { sort, order } = keepsOrder ? view : usualOrder(asOf);
  return { asOf, sort, order };
}

/** What another interval changes: only fine ones have times of a past day. */
export function intervalChanges({ asOf }: View, interval: ListedInterval): Pick<View, 'asOf' | 'interval'> {
  return { interval, asOf: asOf === null || isFine(interval) ? asOf : dayOfMoment(asOf) };
}

/** The page's address for a view, without what is the default; `withColumns` names the columns in any case. */
export function viewAddress(view: View, withColumns = false): string {
  const pairs: [string, string][] = [];
  if (view.query !== '') pairs.push(['q', view.query]);
  if (view.inactive) pairs.push(['inactive', '1']);
  if (view.asOf !== null) pairs.push(['as_of', view.asOf]);
  if (view.interval !== '1d') pairs.push(['interval', view.interval]);
  for (const { name, expression } of view.computed) pairs.push(['calc', `${name}:${expression}`]);
  if (!hasUsualOrder(view)) pairs.push(['sort', view.sort], ['order', view.order]);
  if (view.where !== '') pairs.push(['where', view.where]);
  if (view.tags.length > 0) pairs.push(['tag', view.tags.join(',')]);
  if (view.types.length > 0) pairs.push(['type', view.types.join(',')]);
  if (view.symbols.length > 0) pairs.push(['symbols', view.symbols.join(',')]);
  if (view.minHistory !== null) pairs.push(['min_history', String(view.minHistory)]);
  if (withColumns || view.columns.join() !== present(DEFAULT_VIEW.columns).join())
    pairs.push(['cols', view.columns.join(',')]);
  if (view.page > 1) pairs.push(['page', String(view.page)]);
  const query = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  return query === '' ? '/' : `/?${query}`;
}

function parseComputed(text: string, known: ReadonlySet<string>): Computed[] {
  const [, name = '', expression = ''] = /^([a-z][a-z0-9_]{0,31}):(.+)$/s.exec(text) ?? [];
  return name === '' || known.has(name) ? [] : [{ name, expression }];
}

function positiveInteger(text: string | null): number | null {
  const number = Number(text);
  return text !== null && Number.isSafeInteger(number) && number >= 1 ? number : null;
}

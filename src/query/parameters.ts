// The parameters of a listing besides its columns, with what each takes. Hints, docs and OpenAPI read this table.

import { DATASETS, type Dataset } from '../domain/datasets.ts';
import { STATISTICS } from '../domain/statistics.ts';

export interface ParameterFacts {
  /** A parameter that is not repeatable may be given once. */
  readonly repeatable: boolean;
  /** What it takes, to stand behind "takes". */
  readonly takes: string;
  readonly doc: string;
}

export const PARAMETERS = {
  limit: {
    repeatable: false,
    takes: 'an integer from 1',
    doc: "Rows a page. Above the maximum of the key's tier it is lowered to it.",
  },
  page: { repeatable: false, takes: 'an integer from 1', doc: 'Number of the page, the first being 1.' },
  sort: {
    repeatable: false,
    takes: 'one column name',
    doc: 'Column to sort by. Nulls come last in both directions.',
  },
  order: { repeatable: false, takes: '"asc" or "desc"', doc: 'Direction of the sort.' },
  excl_cols: {
    repeatable: false,
    takes: 'column names separated by commas',
    doc: 'Columns left out of each row. A name that is no column is ignored.',
  },
  format: { repeatable: false, takes: '"json" or "csv"', doc: 'Form of the answer. Without it, `Accept` decides.' },
  meta: { repeatable: false, takes: '"true" or "false"', doc: 'Adds a description of each column.' },
  range: {
    repeatable: true,
    takes: 'column:low:high, or low:high for the sort column; either end may be left out',
    doc: 'Keeps the rows whose number lies between two ends, both included. `price=10:100` says the same as `range=price:10:100`, and `price=42` is equality.',
  },
  comparison: {
    repeatable: true,
    takes: 'comparisons such as [sma50]>:[sma200], separated by commas',
    doc: 'Keeps the rows in which one number compares with another. `[sma50]>:[sma200]` says the same without `comparison=`.',
  },
  not_null: {
    repeatable: true,
    takes: 'column names separated by commas, or "true" or "false"',
    doc: 'Leaves out the rows in which a column is null: the named ones, or with `true` those of the other filters, or else the sort column. `change365=not_null` says the same as `not_null=change365`.',
  },
  where: {
    repeatable: false,
    takes: 'a condition such as (rsi14 < 30 or change7 < -20) and price >= 1',
    doc: 'Keeps the rows for which the condition holds. It may combine columns by `and`, `or`, `not`, comparisons, arithmetic and functions.',
  },
  calc: {
    repeatable: true,
    takes: 'name:expression, such as trend:sma50/sma200',
    doc: 'Adds a computed column behind the others, at most 8 of them. It can be sorted by, filtered and compared like any other.',
  },
  tag: {
    repeatable: true,
    takes: 'tags separated by commas',
    doc: 'Only assets whose profile has any of these tags, in upper or lower case.',
  },
  type: {
    repeatable: true,
    takes: 'types separated by commas, such as coin or token',
    doc: 'Only assets whose profile has one of these types, in upper or lower case.',
  },
  symbol: {
    repeatable: false,
    takes: 'tickers separated by commas',
    doc: 'Only the rows of these tickers, in upper or lower case.',
  },
  id: {
    repeatable: false,
    takes: 'one id such as btc-bitcoin, or a ticker that only one asset has',
    doc: 'The asset whose days are asked for, in upper or lower case. This or `symbol` is required.',
  },
  from: {
    repeatable: false,
    takes: 'a day such as 2026-01-31, or a time of that day in UTC such as 2026-01-31T12:00:00Z',
    doc: 'The first day, included. A time stands for the UTC day that it lies in.',
  },
  to: {
    repeatable: false,
    takes: 'a day such as 2026-01-31, or a time of that day in UTC such as 2026-01-31T12:00:00Z',
    doc: 'The last day, included. A time stands for the UTC day that it lies in.',
  },
  min_history: {
    repeatable: false,
    takes: 'an integer from 1',
    doc: 'Only assets with at least that many daily closes; of one asset, only the days on which it had as many.',
  },
  q: {
    repeatable: false,
    takes: 'a text',
    doc: 'Only assets whose id, name or ticker contains the text, in upper or lower case.',
  },
  cols: {
    repeatable: true,
    takes: 'names of numeric columns separated by commas',
    doc: 'The columns to summarise, `calc` columns included. Without it, every numeric column of the row.',
  },
  bins: {
    repeatable: false,
    takes: 'an integer from 1 to 200',
    doc: 'Adds a histogram with at most so many bins, whose edges are round numbers.',
  },
  api_key: { repeatable: false, takes: 'the key', doc: "The key, when a header can't be sent." },
} as const satisfies Readonly<Record<string, ParameterFacts>>;

export type ParameterName = keyof typeof PARAMETERS;

/** What differs where the rows are the days of one asset. */
const OF_ONE_ASSET: Readonly<Partial<Record<ParameterName, ParameterFacts>>> = {
  symbol: {
    repeatable: false,
    takes: 'one ticker',
    doc: 'The asset whose days are asked for, in upper or lower case; of several with that ticker the active one, and of those the best-ranked. This or `id` is required.',
  },
};

export function parameterFacts(dataset: Dataset, name: ParameterName): ParameterFacts {
  return (dataset.ofOneAsset ? OF_ONE_ASSET[name] : undefined) ?? PARAMETERS[name];
}

/** Of one listing, in the order of the table. */
export function parametersOf(dataset: Dataset): ParameterName[] {
  const all = Object.keys(PARAMETERS) as ParameterName[];
  const has = (of: Dataset, name: string) => of.extraParameters.some(extra => extra === name);
  return all.filter(name => has(dataset, name) || ![...DATASETS, STATISTICS].some(other => has(other, name)));
}

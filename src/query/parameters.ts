// The parameters of a dataset besides its columns, with what each takes. Hints, docs and OpenAPI read this table.

import { COLUMN_GROUPS } from '../domain/columns.ts';
import type { Dataset } from '../domain/datasets.ts';
import { INTERVALS, LISTED_INTERVALS } from '../domain/interval.ts';
import { LISTINGS } from '../domain/listings.ts';

export interface ParameterFacts {
  /** It may be given more than once. */
  readonly repeatable?: true;
  /** The accepted values, as the end of a sentence "NAME takes …". */
  readonly takes: string;
  readonly doc: string;
}

export const PARAMETERS = {
  limit: {
    takes: 'an integer from 1',
    doc: "Rows per page. A value above the maximum of the API key's tier is lowered to it; in a file format it is an error if it would cut rows off. Without it, tiers that include exports get all rows of one asset in one page of a file format.",
  },
  page: { takes: 'an integer from 1', doc: 'Number of the page, starting at 1.' },
  sort: {
    takes: 'one column name',
    doc: 'Column to sort by. Nulls come last in both directions.',
  },
  order: { takes: '"asc" or "desc"', doc: 'Direction of the sort.' },
  incl_cols: {
    repeatable: true,
    takes: 'names of columns or groups separated by commas, or "all"',
    doc: `Optional columns to add to each row, in the order of the catalogue. Groups: ${Object.keys(COLUMN_GROUPS).join(', ')}. Filters, sort and expressions take every column, added or not.`,
  },
  excl_cols: {
    repeatable: true,
    takes: 'column names separated by commas',
    doc: 'Columns to leave out of each row, also of those that `incl_cols` adds. A name that is not a column is ignored; what cannot be a name is an error.',
  },
  format: {
    takes: '"json", "csv", "ndjson" or "arrow"',
    doc: 'Format of the response. Without it, `Accept` decides.',
  },
  meta: { takes: '"true" or "false"', doc: 'Adds a description of each column as `metadata`.' },
  range: {
    repeatable: true,
    takes: 'column:low:high, or low:high for the sort column; either end may be left out',
    doc: 'Only rows whose value lies between two bounds, both included. `price=10:100` is the same as `range=price:10:100`, and `price=42` is equality.',
  },
  comparison: {
    repeatable: true,
    takes: 'comparisons such as [sma50]>:[sma200], separated by commas',
    doc: 'Only rows in which one column compares with another. `[sma50]>:[sma200]` is the same without `comparison=`.',
  },
  not_null: {
    repeatable: true,
    takes: 'column names separated by commas, or "true" or "false"',
    doc: 'Only rows in which these columns are not null. `true` applies to the columns of the other filters, or else to the sort column. `change365=not_null` is the same as `not_null=change365`.',
  },
  where: {
    takes: 'a condition such as (rsi14 < 30 or change7 < -20) and price >= 1',
    doc: 'Keeps the rows for which the condition holds. It may combine columns by `and`, `or`, `not`, comparisons, arithmetic and functions, such as `lag(price, 7)` for an earlier day and `crosses_above(sma50, sma200)`.',
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
    repeatable: true,
    takes: 'tickers separated by commas',
    doc: 'Only rows of these tickers, in any case.',
  },
  id: {
    takes: 'one id such as btc-bitcoin, or a ticker that only one asset has',
    doc: 'The asset, in any case. Required unless `symbol` is given.',
  },
  from: {
    takes: 'a day such as 2026-01-31, or a time of that day in UTC such as 2026-01-31T12:00:00Z',
    doc: 'First `datetimeUTC`, included. A time stands for the period that contains it, at most for its UTC day.',
  },
  to: {
    takes: 'a day such as 2026-01-31, or a time of that day in UTC such as 2026-01-31T12:00:00Z',
    doc: 'Last `datetimeUTC`, included. A time stands for the period that contains it, at most for its UTC day.',
  },
  inactive: {
    takes: '"true" or "false"',
    doc: 'Whether inactive assets are listed too: those without a recent close, and delisted ones.',
  },
  as_of: {
    takes: 'a day such as 2026-01-31, today at the latest, or a time of it in UTC such as 2026-01-31T12:00Z',
    doc: 'The rows as of the end of that UTC day, or of the period that contains the time: from the closes up to it, of the assets that were active then.',
  },
  interval: {
    takes: `one of ${LISTED_INTERVALS.join(', ')}`,
    doc: 'Length of a period, and of a bar: a suffix such as 20 in `sma20` counts periods. Periods start at multiples of it since 1970-01-01T00:00Z, weeks on Monday. `/v1/catalog` lists those that the service has.',
  },
  quote: {
    takes: 'USD, the ticker of a fiat currency of the store, or the ticker or id of an asset',
    doc: 'The currency or asset of prices: each price is divided by its close of the same period, and every column is computed from the result. `USD` if it is left out. `/v1/catalog` lists fiat currencies and the largest assets.',
  },
  source: {
    takes: 'the name of a source, such as kraken',
    doc: 'Only the bars of this source instead of the served ones; `sources` lists those of an asset.',
  },
  adjusted: {
    takes: '"true" or "false"',
    doc: 'Whether redenominations, migrations and corrections count. With `false`, the bars are what the sources said, by the price rule or of one `source`.',
  },
  min_history: {
    takes: 'an integer from 1',
    doc: 'Only assets with at least that many closes, one per period; in a history, only periods in which the asset had as many.',
  },
  q: {
    takes: 'text',
    doc: 'Only assets whose id, name or ticker contains the text, in any case.',
  },
  cols: {
    repeatable: true,
    takes: 'names of numeric columns separated by commas',
    doc: 'The columns to summarise, `calc` columns included. Without it, every numeric column of the row.',
  },
  bins: {
    takes: 'an integer from 1 to 200',
    doc: 'Adds a histogram with at most so many bins, whose edges are round numbers.',
  },
  api_key: { takes: 'the API key', doc: "The API key, if a header can't be sent." },
} as const satisfies Readonly<Record<string, ParameterFacts>>;

export type ParameterName = keyof typeof PARAMETERS;

/** Why a dataset lacks a parameter that others have. */
const ABSENT: Readonly<Record<string, string>> = {
  interval: 'This table has one row per asset, whatever the interval',
  quote: 'This table has no prices',
};

/** Names that other services use, and ours. */
const OTHER_NAMES: Readonly<Record<string, ParameterName>> = {
  ...namesOf('interval', ['timeframe', 'resolution', 'granularity']),
  ...namesOf('quote', ['currency', 'quotes', 'convert', 'vs_currency']),
  ...namesOf('from', ['start', 'start_date', 'time_start', 'since']),
  ...namesOf('to', ['end', 'end_date', 'time_end', 'until']),
  ...namesOf('as_of', ['date', 'day']),
  ...namesOf('limit', ['per_page', 'page_size']),
  ...namesOf('sort', ['sort_by', 'order_by']),
  ...namesOf('incl_cols', ['columns', 'fields']),
  ...namesOf('where', ['filter']),
  ...namesOf('q', ['query', 'search']),
};

function namesOf(ours: ParameterName, others: readonly string[]): Record<string, ParameterName> {
  return Object.fromEntries(others.map(other => [other, ours]));
}

/** Which of the `known` parameters is meant by a name of other services, or why there is none; null if neither is known. */
export function absentParameter(name: string, known: Iterable<string>): string | null {
  const wanted = name.toLowerCase();
  if (Object.hasOwn(ABSENT, wanted)) return `${ABSENT[wanted]}. Leave out ${wanted}.`;
  const ours = Object.hasOwn(OTHER_NAMES, wanted) ? OTHER_NAMES[wanted]! : null; // it has the name
  if (ours === null || ![...known].includes(ours)) return null;
  return `Use ${ours} instead of ${wanted}: it takes ${PARAMETERS[ours].takes}.`;
}

/** What differs for a dataset whose queries can be streamed. */
const STREAMED: Readonly<Partial<Record<ParameterName, ParameterFacts>>> = {
  format: {
    takes: '"json", "csv", "ndjson", "arrow" or "sse"',
    doc: 'Format of the response. Without it, `Accept` decides. `sse` streams the rows and their changes as Server-Sent Events.',
  },
};

/** What differs if the rows are the days of one asset. */
const OF_ONE_ASSET: Readonly<Partial<Record<ParameterName, ParameterFacts>>> = {
  interval: {
    takes: `one of ${INTERVALS.join(', ')}; 1mo in bars only`,
    doc: PARAMETERS.interval.doc,
  },
  symbol: {
    takes: 'one ticker',
    doc: 'The asset, in any case. If several assets have the ticker: the active one, then the best-ranked. Required unless `id` is given.',
  },
};

export function parameterFacts(dataset: Dataset, name: ParameterName): ParameterFacts {
  const special = { ...(dataset.ofOneAsset ? OF_ONE_ASSET : {}), ...(dataset.isStreamed ? STREAMED : {}) };
  return special[name] ?? PARAMETERS[name];
}

/** The parameters of one dataset, in the order of the table. */
export function parametersOf(dataset: Dataset): ParameterName[] {
  const all = Object.keys(PARAMETERS) as ParameterName[];
  const has = (of: Dataset, name: string) => of.extraParameters.some(extra => extra === name);
  return all.filter(name => has(dataset, name) || !LISTINGS.some(other => has(other, name)));
}

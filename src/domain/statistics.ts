// Summary statistics of a listing: the columns of `ta-cur/stats`, one row per column of the listing.

import { textColumn } from './catalogue.ts';
import type { Column } from './columns.ts';
import { type Dataset, TA_CUR } from './datasets.ts';

/** The quantiles, by the name of their column. */
export const QUANTILES = { p5: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p95: 0.95 } as const;

const COUNTS = [
  count('count', 'Rows that the query selects, nulls included'),
  count('nulls', 'Of these, the rows whose value is null; all other figures leave them out'),
] as const;

const FIGURES = [
  figure('min', 'Smallest value'),
  figure('max', 'Largest value'),
  figure('mean', 'Arithmetic mean'),
  figure('stdev', 'Sample standard deviation (n − 1); null for fewer than two values'),
  ...Object.entries(QUANTILES).map(([name, quantile]) =>
    figure(
      name,
      `Quantile ${quantile}, with linear interpolation between the two nearest values: position ${quantile} · (n − 1) among the sorted values`,
    ),
  ),
] as const;

const HISTOGRAM: Column = {
  name: 'histogram',
  kind: 'json',
  type: 'object',
  unit: null,
  nullable: true,
  description:
    'Edges of the bins, which are round numbers, and the values in each: from its lower edge, included, to its upper, left out; the last bin includes both',
};

export const STATISTICS: Dataset<'ta-cur/stats', false> = {
  name: 'ta-cur/stats',
  title: 'Statistics of a listing query',
  description:
    'One row per column, over all rows that the query selects. Takes every parameter of `ta-cur`; `limit` and `page` count the rows of this answer.',
  columns: [
    textColumn('column', 'Column of the listing that the row is about', false),
    ...COUNTS,
    ...FIGURES,
    HISTOGRAM,
  ],
  defaultSort: 'column',
  defaultOrder: 'asc',
  tieBreaker: 'column',
  ofOneAsset: false,
  hasEarlier: false,
  isStreamed: false,
  extraParameters: [...TA_CUR.extraParameters, 'cols', 'bins'],
};

function count(name: string, description: string): Column {
  return { name, kind: 'count', type: 'integer', unit: null, nullable: false, description };
}

function figure(name: string, description: string): Column {
  return { name, kind: 'statistic', type: 'number', unit: null, nullable: true, description };
}

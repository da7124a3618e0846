// The listings that the service offers: which columns each has, and what it takes besides the common parameters.

import { ASSET_COLUMNS, COLUMNS, type Column } from './columns.ts';

export interface Dataset {
  /** Last segment of its path: `/v1/{group}/{name}`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly columns: readonly Column[];
  readonly defaultSort: string;
  readonly defaultOrder: 'asc' | 'desc';
  /** Rows that are equal in the sort column are ordered by this column, ascending; it is unique. */
  readonly tieBreaker: string;
  /** Parameters of this listing alone. */
  readonly extraParameters: readonly ('min_history' | 'q')[];
}

export const TA_CUR: Dataset = {
  name: 'ta-cur',
  title: 'Technical indicators, current',
  description: 'One row for each active asset: latest price, changes, moving averages, variances and volatilities.',
  columns: COLUMNS,
  defaultSort: 'datetimeUTC',
  defaultOrder: 'desc',
  tieBreaker: 'symbol',
  extraParameters: ['min_history'],
};

export const ASSETS: Dataset = {
  name: 'assets',
  title: 'Assets',
  description: 'Every asset that has a profile or prices.',
  columns: ASSET_COLUMNS,
  defaultSort: 'rank',
  defaultOrder: 'asc',
  tieBreaker: 'id',
  extraParameters: ['q'],
};

export const DATASETS: readonly Dataset[] = [TA_CUR, ASSETS];

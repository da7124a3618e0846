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
  /** Its rows are the days of one asset, which the request names by `symbol` or `id`; otherwise each row is an asset. */
  readonly ofOneAsset: boolean;
  /** Parameters that not every listing has. */
  readonly extraParameters: readonly ('min_history' | 'q' | 'id' | 'from' | 'to')[];
}

export const TA_CUR: Dataset = {
  name: 'ta-cur',
  title: 'Technical indicators, current',
  description: 'One row for each active asset: latest price, changes, moving averages, variances and volatilities.',
  columns: COLUMNS,
  defaultSort: 'datetimeUTC',
  defaultOrder: 'desc',
  tieBreaker: 'symbol',
  ofOneAsset: false,
  extraParameters: ['min_history'],
};

export const TA_HIST: Dataset = {
  name: 'ta-hist',
  title: 'Technical indicators, history of one asset',
  description:
    'One row for each day of one asset, from its first close to its latest: the row that the current indicators had ' +
    'on that day. A day without a close of its own has the close before it.',
  columns: COLUMNS,
  defaultSort: 'datetimeUTC',
  defaultOrder: 'desc',
  tieBreaker: 'datetimeUTC',
  ofOneAsset: true,
  extraParameters: ['id', 'from', 'to', 'min_history'],
};

export const ASSETS: Dataset = {
  name: 'assets',
  title: 'Assets',
  description: 'Every asset that has a profile or prices.',
  columns: ASSET_COLUMNS,
  defaultSort: 'rank',
  defaultOrder: 'asc',
  tieBreaker: 'id',
  ofOneAsset: false,
  extraParameters: ['q'],
};

export const DATASETS: readonly Dataset[] = [TA_CUR, TA_HIST, ASSETS];

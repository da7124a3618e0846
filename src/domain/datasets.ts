// The datasets that the service offers: which columns each has, and which parameters it takes besides the common ones.

import { ASSET_COLUMNS, BAR_COLUMNS, COLUMNS, OPTIONAL_COLUMNS } from './catalogue.ts';
import type { Column } from './columns.ts';
import type { Interval } from './interval.ts';

export interface Dataset<Name extends string = string, OfOneAsset extends boolean = boolean> {
  /** Last segment of its path: `/v1/{group}/{name}`. */
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  /** The optional ones last. */
  readonly columns: readonly Column[];
  readonly defaultSort: string;
  readonly defaultOrder: 'asc' | 'desc';
  /** Rows that are equal in the sort column are ordered by this column, ascending; it is unique. */
  readonly tieBreaker: string;
  /**
   * Its rows are the days of one asset, which the request names by `symbol` or `id`, and which are computed for it. Otherwise there
   * is one row per asset, and a snapshot holds them all.
   */
  readonly ofOneAsset: OfOneAsset;
  /** Expressions can read earlier periods of its columns (`lag`). */
  readonly hasEarlier: boolean;
  /** Clients can subscribe to its queries (`format=sse`). */
  readonly isStreamed: boolean;
  /** Its times are periods of this interval; without it, of the interval of the request. */
  readonly timesIn?: Interval;
  /** Parameters that not every dataset has. */
  readonly extraParameters: readonly (
    | 'min_history'
    | 'q'
    | 'id'
    | 'from'
    | 'to'
    | 'interval'
    | 'quote'
    | 'as_of'
    | 'inactive'
    | 'tag'
    | 'type'
    | 'cols'
    | 'bins'
    | 'incl_cols'
    | 'source'
    | 'adjusted'
  )[];
}

const LISTING_COLUMNS = [...COLUMNS, ...OPTIONAL_COLUMNS];

export const TA_CUR: Dataset<'ta-cur', false> = {
  name: 'ta-cur',
  title: 'Technical indicators, current',
  description: 'One row per active asset: latest price, changes, moving averages, variances and volatilities.',
  columns: LISTING_COLUMNS,
  defaultSort: 'datetimeUTC',
  defaultOrder: 'desc',
  tieBreaker: 'symbol',
  ofOneAsset: false,
  hasEarlier: true,
  isStreamed: true,
  extraParameters: ['interval', 'quote', 'min_history', 'inactive', 'as_of', 'tag', 'type', 'incl_cols'],
};

export const TA_HIST: Dataset<'ta-hist', true> = {
  name: 'ta-hist',
  title: 'Technical indicators, history of one asset',
  description:
    'One row per day of one asset, from its first close to its latest: the row that the current indicators had ' +
    'on that day. A day without a close of its own has the close before it.',
  columns: LISTING_COLUMNS,
  defaultSort: 'datetimeUTC',
  defaultOrder: 'desc',
  tieBreaker: 'datetimeUTC',
  ofOneAsset: true,
  hasEarlier: true,
  isStreamed: false,
  extraParameters: ['id', 'interval', 'quote', 'from', 'to', 'min_history', 'incl_cols'],
};

export const BARS: Dataset<'bars', true> = {
  name: 'bars',
  title: 'OHLCV bars of one asset',
  description:
    'One row per day, week or month of one asset in which a source delivered a price: open, high, low, close and volume. Weeks start on ' +
    'Monday, all times are UTC, and the newest bar may be of a period that is not over.',
  columns: BAR_COLUMNS,
  defaultSort: 'datetimeUTC',
  defaultOrder: 'desc',
  tieBreaker: 'datetimeUTC',
  ofOneAsset: true,
  hasEarlier: false,
  isStreamed: false,
  extraParameters: ['id', 'from', 'to', 'interval', 'quote', 'source', 'adjusted'],
};

export const ASSETS: Dataset<'assets', false> = {
  name: 'assets',
  title: 'Assets',
  description: 'Every asset that has a profile or prices.',
  columns: ASSET_COLUMNS,
  defaultSort: 'rank',
  defaultOrder: 'asc',
  tieBreaker: 'id',
  ofOneAsset: false,
  hasEarlier: false,
  isStreamed: false,
  extraParameters: ['q', 'as_of', 'tag', 'type'],
};

const ALL = [TA_CUR, TA_HIST, BARS, ASSETS] as const;

export type DatasetName = (typeof ALL)[number]['name'];

export const DATASETS: readonly Dataset<DatasetName>[] = ALL;

/** Whether its rows are days, which are read from the store. */
export function isHistory(name: DatasetName): name is HistoryDatasetName {
  return name === BARS.name || name === TA_HIST.name;
}

export type HistoryDatasetName = Exclude<DatasetName, SnapshotDatasetName>;

/** The datasets that a snapshot holds. Each has a builder in `snapshot/build/table-builders.ts`. */
export const SNAPSHOT_DATASETS = ALL.filter(dataset => !dataset.ofOneAsset);

export type SnapshotDataset = (typeof SNAPSHOT_DATASETS)[number];
export type SnapshotDatasetName = SnapshotDataset['name'];

// In which tables PostgreSQL keeps the bars of each base interval, and how their columns are called.

import { BASE_INTERVALS, type BaseInterval } from '../../domain/interval.ts';

export interface SeriesLayout {
  readonly interval: BaseInterval;
  readonly blocks: string;
  readonly coverage: string;
  readonly replaced: string;
  /** Columns of the coverage, and of replaced closes. */
  readonly first: string;
  readonly last: string;
  readonly period: string;
  /** The table and the column with the newest published period of each asset. */
  readonly published: { readonly table: string; readonly newest: string };
}

export const SERIES: Readonly<Record<BaseInterval, SeriesLayout>> = {
  '1m': fine('1m'),
  '1h': fine('1h'),
  '1d': {
    interval: '1d',
    ...{ blocks: 'tidemark.bar_blocks', coverage: 'tidemark.coverage', replaced: 'tidemark.replaced_closes' },
    ...{ first: 'first_day', last: 'last_day', period: 'day' },
    published: { table: 'tidemark.published', newest: 'close_day' },
  },
};

/** Finer than a day: their coverage also has the periods that were published. */
export const FINE_SERIES = BASE_INTERVALS.filter(interval => interval !== '1d').map(interval => SERIES[interval]);

function fine(interval: BaseInterval): SeriesLayout {
  return {
    interval,
    blocks: `tidemark.bar_blocks_${interval}`,
    coverage: `tidemark.coverage_${interval}`,
    replaced: `tidemark.replaced_closes_${interval}`,
    ...{ first: 'first_period', last: 'last_period', period: 'period' },
    published: { table: `tidemark.coverage_${interval}`, newest: 'published_last' },
  };
}

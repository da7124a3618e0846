// In which tables SQLite keeps what belongs to the bars of each base interval.

import type { BaseInterval } from '../../domain/interval.ts';
import type { TableName } from './layout.ts';

export interface SeriesLayout {
  readonly interval: BaseInterval;
  readonly coverage: TableName;
  readonly replaced: TableName;
  /** Null for days, which are in tiles. */
  readonly fine: FineLayout | null;
}

/** Where bars of hours or minutes are. */
export interface FineLayout {
  readonly blocks: TableName;
  readonly tail: TableName;
}

/** From the shortest interval to the longest. */
export const SERIES: Readonly<Record<BaseInterval, SeriesLayout>> = {
  '1m': {
    ...{ interval: '1m', coverage: 'coverage_1m', replaced: 'replaced_1m' },
    fine: { blocks: 'blocks_1m', tail: 'tail_1m' },
  },
  '1h': {
    ...{ interval: '1h', coverage: 'coverage_1h', replaced: 'replaced_1h' },
    fine: { blocks: 'blocks_1h', tail: 'tail_1h' },
  },
  '1d': { interval: '1d', coverage: 'coverage', replaced: 'replaced', fine: null },
};

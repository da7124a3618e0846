// The table of `bars`: one row per day, week or month of one asset in which a source delivered a bar.

import type { BarColumns } from '../domain/bar.ts';
import { BAR_COLUMNS } from '../domain/catalogue.ts';
import { BARS } from '../domain/datasets.ts';
import { MILLIS_PER_DAY } from '../domain/day.ts';
import type { DailyInterval } from '../domain/interval.ts';
import { rowNumbers } from '../snapshot/columns/consecutive.ts';
import {
  type ExternalMemory,
  externalMemory,
  sharedCounts,
  sharedDoubleColumns,
  sharedDoubles,
} from '../snapshot/columns/shared-memory.ts';
import type { ColumnData, Rows, Table } from '../snapshot/table.ts';
import { lazyOrders } from './lazy-orders.ts';

export function barsTable(bars: BarColumns, interval: DailyInterval): Table & ExternalMemory {
  const { bytes, ...found } = barsRows(bars, interval, sharedDoubleColumns);
  const { rows, columns } = found;
  return {
    ...found,
    history: sharedDoubles(0),
    historyOrder: sharedCounts(0),
    // Requests cannot select by ticker within the bars of one asset.
    symbols: { rowsOf: () => rowNumbers(rows) },
    search: null,
    profiles: null,
    order: lazyOrders(columns, rows),
    ...externalMemory(bytes),
  };
}

interface BarRows extends Rows {
  /** Of shared memory. */
  readonly bytes: number;
}

/** `bars` holds all bars of the asset, oldest first. `doubleColumns` gives the memory of the columns; it may have been used before. */
export function barsRows(
  bars: BarColumns,
  interval: DailyInterval,
  doubleColumns: typeof sharedDoubleColumns,
): BarRows {
  const starts = interval === '1d' ? bars.day : Int32Array.from(bars.day, START_OF[interval]);
  const rows = interval === '1d' ? starts.length : countDifferent(starts);
  const [open, high, low, close, volume, dayMemory] = doubleColumns(6, rows) as Numbers;
  const days = new Int32Array(dayMemory.buffer, dayMemory.byteOffset, rows);
  const numbers = { open, high, low, close, volume };
  if (interval === '1d') {
    days.set(starts);
    for (const name of PRICES) numbers[name].set(bars[name]);
    // 0 has one form.
    for (let row = 0; row < rows; row++) volume[row] = bars.volume[row]! + 0;
  } else putSummaries(bars, starts, days, numbers);
  const columns = BAR_COLUMNS.map(({ name }): ColumnData => {
    if (name === 'datetimeUTC') return { kind: 'day', values: days };
    return { kind: 'number', values: numbers[name] };
  });
  return { dataset: BARS, rows, columns, bytes: open.buffer.byteLength };
}

const PRICES = ['open', 'high', 'low', 'close'] as const;

/** `starts` ascend. */
function countDifferent(starts: Int32Array): number {
  let count = 0;
  for (let i = 0; i < starts.length; i++) if (i === 0 || starts[i] !== starts[i - 1]) count++;
  return count;
}

/** One row for the bars of each start. */
function putSummaries(bars: BarColumns, starts: Int32Array, days: Int32Array, target: Omit<BarColumns, 'day'>): void {
  const { open, high, low, close, volume } = target;
  for (let i = 0, row = 0; i < starts.length; row++) {
    days[row] = starts[i]!;
    open[row] = bars.open[i]!;
    high[row] = Number.NEGATIVE_INFINITY;
    low[row] = Number.POSITIVE_INFINITY;
    volume[row] = 0;
    for (; starts[i] === days[row]; i++) {
      // NaN, an unknown number, makes each of these NaN.
      high[row] = Math.max(high[row]!, bars.high[i]!);
      low[row] = Math.min(low[row]!, bars.low[i]!);
      volume[row]! += bars.volume[i]!;
      close[row] = bars.close[i]!;
    }
  }
}

type Column = Float64Array<SharedArrayBuffer>;
type Numbers = [open: Column, high: Column, low: Column, close: Column, volume: Column, dayMemory: Column];

/** The first day of the bar that a day belongs to. */
const START_OF: Readonly<Record<Exclude<DailyInterval, '1d'>, (day: number) => number>> = {
  // 1970-01-05, day 4, was the first Monday.
  '1w': day => day - ((day + 3) % 7),
  '1mo': day => day - new Date(day * MILLIS_PER_DAY).getUTCDate() + 1,
};

// The table of `bars`: one row per day, week or month of one asset in which a source delivered a bar.

import type { BarColumns, Interval } from '../domain/bar.ts';
import { BAR_COLUMNS } from '../domain/columns.ts';
import { BARS } from '../domain/datasets.ts';
import { MILLIS_PER_DAY } from '../domain/day.ts';
import { rowNumbers } from './consecutive.ts';
import { lazyOrders } from './lazy-orders.ts';
import {
  type ExternalMemory,
  externalMemory,
  sharedCounts,
  sharedDoubleColumns,
  sharedDoubles,
  sharedIntegers,
} from './shared-memory.ts';
import type { ColumnData, Table } from './table.ts';

/** `bars` holds all bars of the asset, oldest first. */
export function barsTable(bars: BarColumns, interval: Interval): Table & ExternalMemory {
  const starts = Int32Array.from(bars.day, START_OF[interval]);
  const rows = starts.reduce((count, start, i) => (i > 0 && start === starts[i - 1] ? count : count + 1), 0);
  const days = sharedIntegers(rows);
  const [open, high, low, close, volume] = sharedDoubleColumns(5, rows) as Numbers;
  for (let i = 0, row = 0; i < starts.length; row++) {
    days[row] = starts[i]!;
    open[row] = bars.open[i]!;
    high[row] = Number.NEGATIVE_INFINITY;
    low[row] = Number.POSITIVE_INFINITY;
    for (; starts[i] === days[row]; i++) {
      // NaN, an unknown number, makes each of these NaN.
      high[row] = Math.max(high[row]!, bars.high[i]!);
      low[row] = Math.min(low[row]!, bars.low[i]!);
      volume[row]! += bars.volume[i]!;
      close[row] = bars.close[i]!;
    }
  }
  const numbers = { open, high, low, close, volume };
  const columns = BAR_COLUMNS.map(({ name }): ColumnData => {
    if (name === 'datetimeUTC') return { kind: 'day', values: days };
    return { kind: 'number', values: numbers[name] };
  });
  return {
    dataset: BARS,
    rows,
    columns,
    history: sharedDoubles(0),
    historyOrder: sharedCounts(0),
    // Requests cannot select by ticker within the bars of one asset.
    symbols: { rowsOf: () => rowNumbers(rows) },
    search: null,
    profiles: null,
    order: lazyOrders(columns, rows),
    ...externalMemory(days.byteLength + open.buffer.byteLength),
  };
}

type Column = Float64Array<SharedArrayBuffer>;
type Numbers = [open: Column, high: Column, low: Column, close: Column, volume: Column];

/** The first day of the bar that a day belongs to. */
const START_OF: Readonly<Record<Interval, (day: number) => number>> = {
  '1d': day => day,
  // 1970-01-05, day 4, was the first Monday.
  '1w': day => day - ((day + 3) % 7),
  '1mo': day => day - new Date(day * MILLIS_PER_DAY).getUTCDate() + 1,
};

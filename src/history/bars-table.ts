// The table of `bars`: one row per period of one asset in which a source delivered a bar.

import type { BarColumns } from '../domain/bar.ts';
import { BAR_COLUMNS } from '../domain/catalogue.ts';
import { BARS } from '../domain/datasets.ts';
import type { Interval } from '../domain/interval.ts';
import {
  type ExternalMemory,
  externalMemory,
  rowNumbers,
  sharedCounts,
  sharedDoubleColumns,
  sharedDoubles,
} from '../snapshot/columns/shared-memory.ts';
import type { ColumnData, Rows } from '../snapshot/table.ts';
import type { SizedTable } from './asset-tables.ts';
import { lazyOrders } from './lazy-orders.ts';

export function barsTable(bars: BarColumns, interval: Interval): SizedTable & ExternalMemory {
  const { bytes, ...found } = barsRows(bars, interval, sharedDoubleColumns);
  const { rows, columns } = found;
  const orders = lazyOrders(columns, rows);
  return {
    ...found,
    history: sharedDoubles(0),
    historyOrder: sharedCounts(0),
    // Requests cannot select by ticker within the bars of one asset.
    symbols: { rowsOf: () => rowNumbers(rows) },
    search: null,
    profiles: null,
    order: orders.order,
    get bytes() {
      return bytes + orders.bytes();
    },
    ...externalMemory(bytes),
  };
}

interface BarRows extends Rows {
  /** Of shared memory. */
  readonly bytes: number;
}

/** `bars` holds all bars of the asset in the interval, oldest first. `doubleColumns` gives the memory of the columns; it may have been used before. */
export function barsRows(bars: BarColumns, interval: Interval, doubleColumns: typeof sharedDoubleColumns): BarRows {
  const rows = bars.day.length;
  const [open, high, low, close, volume, periodMemory] = doubleColumns(6, rows) as Numbers;
  const periods = new Int32Array(periodMemory.buffer, periodMemory.byteOffset, rows);
  const numbers = { open, high, low, close, volume };
  periods.set(bars.day);
  for (const name of PRICES) numbers[name].set(bars[name]);
  // 0 has one form.
  for (let row = 0; row < rows; row++) volume[row] = bars.volume[row]! + 0;
  const columns = BAR_COLUMNS.map(({ name }): ColumnData => {
    if (name === 'datetimeUTC') return { kind: 'day', interval, values: periods };
    return { kind: 'number', values: numbers[name] };
  });
  return { dataset: BARS, rows, columns, bytes: open.buffer.byteLength };
}

const PRICES = ['open', 'high', 'low', 'close'] as const;

type Column = Float64Array<SharedArrayBuffer>;
type Numbers = [open: Column, high: Column, low: Column, close: Column, volume: Column, periodMemory: Column];

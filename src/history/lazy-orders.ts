// The orders of a table with one row per day of one asset.

import { rowNumbers, sharedCounts } from '../snapshot/columns/shared-memory.ts';
import { sortColumn } from '../snapshot/indexes/orders.ts';
import type { ColumnData, Table } from '../snapshot/table.ts';

export interface LazyOrders {
  readonly order: Table['order'];
  /** Of those that were made. */
  readonly bytes: () => number;
}

/** Unlike the orders of a snapshot, these are made on first use: most requests want the days in their own order. */
export function lazyOrders(columns: readonly ColumnData[], rows: number): LazyOrders {
  const made = new Map<number, Uint32Array<SharedArrayBuffer>>();
  const order = (column: number) => {
    const data = columns[column];
    if (!data) throw new RangeError(`the table has no column ${column}`);
    // Days ascend, and the text is the same in all rows.
    const found = made.get(column) ?? (data.kind === 'number' ? sorted(data, rows) : rowNumbers(rows));
    made.set(column, found);
    return found;
  };
  return { order, bytes: () => made.size * 4 * rows };
}

function sorted(data: ColumnData, rows: number): Uint32Array<SharedArrayBuffer> {
  const order = sharedCounts(rows);
  sortColumn(data, order);
  return order;
}

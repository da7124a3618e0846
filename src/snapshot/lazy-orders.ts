// The orders of a table with one row per day of one asset.

import { rowNumbers } from './consecutive.ts';
import { columnOrder } from './orders.ts';
import { sharedCounts } from './shared-memory.ts';
import type { ColumnData, Table } from './table.ts';

/** Unlike the orders of a snapshot, these are made on first use: most requests want the days in their own order. */
export function lazyOrders(columns: readonly ColumnData[], rows: number): Table['order'] {
  const made = new Map<number, ReturnType<Table['order']>>();
  return column => {
    const data = columns[column];
    if (!data) throw new RangeError(`the table has no column ${column}`);
    // Days ascend, and the text is the same in all rows.
    const order = made.get(column) ?? (data.kind === 'number' ? shared(columnOrder(data, rows)) : rowNumbers(rows));
    made.set(column, order);
    return order;
  };
}

function shared(order: Uint32Array): Uint32Array<SharedArrayBuffer> {
  const copy = sharedCounts(order.length);
  copy.set(order);
  return copy;
}

// Which orders of a table are worth using. Making one sorts the whole table; after that it is free.

import type { Table } from '../snapshot/table.ts';
import { rangedValues } from './filter-tests.ts';
import type { Span } from './ordered-rows.ts';
import { partitionPoint } from './sort-keys.ts';

interface Uses {
  /** 1 for a column whose order was asked for, and so is kept. */
  readonly kept: Uint8Array;
  /** Ranges on the column that had to do without. */
  readonly missed: Uint32Array;
}

const usesOf = new WeakMap<Table, Uses>();

function uses(table: Table): Uses {
  let found = usesOf.get(table);
  if (found === undefined) {
    found = { kept: new Uint8Array(table.columns.length), missed: new Uint32Array(table.columns.length) };
    usesOf.set(table, found);
  }
  return found;
}

export function sortOrder(table: Table, column: number): Uint32Array {
  uses(table).kept[column] = 1;
  return table.order(column);
}

/** The order where it is kept, or where `worth` ranges have missed it, which is when it begins to pay; else null. */
export function rangeOrder(table: Table, column: number, worth: number): Uint32Array | null {
  const { kept, missed } = uses(table);
  if (kept[column] === 0 && missed[column]!++ < worth) return null;
  return sortOrder(table, column);
}

/** Where the values from `low` to `high` lie in the order. */
export function rangeSpan(table: Table, column: number, order: Uint32Array, low: number, high: number): Span {
  const values = rangedValues(table, column);
  const from = partitionPoint(0, table.rows, p => values[order[p]!]! < low);
  return { from, to: partitionPoint(from, table.rows, p => values[order[p]!]! <= high) };
}

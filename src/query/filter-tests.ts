// Filters as tests of many rows at a time.

import type { ColumnData, DayData, NumberData, Table } from '../snapshot/table.ts';
import { NumberTest } from './number-test.ts';
import type { Filter } from './plan.ts';
import type { RowTest } from './row-test.ts';

export function testOf(filter: Filter, table: Table): RowTest {
  switch (filter.kind) {
    case 'range':
      return NumberTest.within(rangedValues(table, filter.column), filter.low, filter.high);
    case 'comparison':
      return NumberTest.compared(numbersOf(table, filter.left), filter.operator, numbersOf(table, filter.right));
    case 'not_null':
      return notNull(table.columns[filter.column]!);
  }
}

export function historyTest(table: Table, minimum: number): RowTest {
  return NumberTest.within(table.history, minimum, Number.POSITIVE_INFINITY);
}

function notNull(data: ColumnData): RowTest {
  switch (data.kind) {
    case 'number':
      return NumberTest.within(data.values, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    case 'text':
      return NumberTest.within(data.missing, 0, 0);
    case 'day':
      return NumberTest.within(data.values, 0, Number.POSITIVE_INFINITY);
    case 'flag':
      return NumberTest.within(data.values, 0, 1);
  }
}

/** The plan was checked: only columns of numbers and of days have ranges. */
export function rangedValues(table: Table, column: number): NumberData['values'] | DayData['values'] {
  const data = table.columns[column]!;
  return data.kind === 'day' ? data.values : numbersOf(table, column);
}

/** Only columns of numbers are compared. */
function numbersOf(table: Table, column: number): NumberData['values'] {
  const data = table.columns[column]!;
  if (data.kind !== 'number') throw new TypeError(`column ${column} of ${table.dataset.name} holds no numbers`);
  return data.values;
}

// The filters of a plan as tests of rows.

import type { DayData, FlagData, NumberData, Table } from '../../snapshot/table.ts';
import type { Filter, Plan } from '../parse/plan.ts';
import { ComparisonTest } from './comparison-test.ts';
import { ExpressionTest } from './expression-test.ts';
import type { RowTest } from './row-test.ts';
import { SearchTest } from './search-test.ts';
import { PresentTest, RangeTest } from './span-test.ts';
import { UnorderedTest } from './unordered-test.ts';

/** The most selective test first, so that the others have fewer rows to test. */
export function testsOf({ filters, minHistory, search, where }: Plan, table: Table): RowTest[] {
  const tests = filters.map(filter => testOf(filter, table));
  if (minHistory !== null) {
    tests.push(new RangeTest(table.history, table.historyOrder, minHistory, Number.POSITIVE_INFINITY));
  }
  if (search !== null && table.search !== null) tests.push(new SearchTest(table.search, search));
  if (where !== null) tests.push(new ExpressionTest(table, where.node));
  return tests.sort((a, b) => a.atMost - b.atMost);
}

function testOf(filter: Filter, table: Table): RowTest {
  switch (filter.kind) {
    case 'range': {
      const [values, order] = [rangedValues(table, filter.column), table.order(filter.column)];
      if (order === null) return new UnorderedTest(values, filter.low, filter.high);
      return new RangeTest(values, order, filter.low, filter.high);
    }
    case 'comparison':
      return new ComparisonTest(numbersOf(table, filter.left), filter.operator, numbersOf(table, filter.right));
    case 'not_null': {
      const order = table.order(filter.column);
      if (order !== null) return new PresentTest(table.columns[filter.column]!, order);
      // Of days, null is -1.
      const least = table.columns[filter.column]!.kind === 'day' ? 0 : Number.NEGATIVE_INFINITY;
      return new UnorderedTest(rangedValues(table, filter.column), least, Number.POSITIVE_INFINITY);
    }
  }
}

/** A plan has ranges on columns of numbers, days and flags only. */
export function rangedValues(
  table: Table,
  column: number,
): NumberData['values'] | DayData['values'] | FlagData['values'] {
  const data = table.columns[column]!;
  return data.kind === 'day' || data.kind === 'flag' ? data.values : numbersOf(table, column);
}

/** A plan compares columns of numbers only. */
function numbersOf(table: Table, column: number): NumberData['values'] {
  const data = table.columns[column]!;
  if (data.kind !== 'number') throw new TypeError(`column ${column} of ${table.dataset.name} holds no numbers`);
  return data.values;
}

// All rows that a plan selects, whatever their page: for what is computed over all of them.

import type { Steps } from '../../common/steps.ts';
import type { Table } from '../../snapshot/table.ts';
import type { Plan } from '../parse/plan.ts';
import { testsOf } from './filter-tests.ts';
import { RowBitmap } from './row-bitmap.ts';
import { keepAll, selectAll } from './row-test.ts';

export interface MatchingRows {
  /** Ascending. */
  readonly rows: Uint32Array;
  /** The same as a bitmap: row r is bit `r % 32` of word `r / 32`. */
  readonly words: Int32Array;
}

/** In memory of their own, so that they can be used while other queries run. */
export function* matchingRows(plan: Plan, table: Table): Steps<MatchingRows> {
  const bitmap = new RowBitmap();
  const tests = testsOf(plan, table);
  if (plan.symbols === null) {
    yield* selectAll(tests, bitmap, table.rows);
  } else {
    const candidates = table.symbols.rowsOf(plan.symbols).slice();
    bitmap.clear(table.rows);
    bitmap.add(candidates, keepAll(tests, candidates, candidates.length));
  }
  const rows = new Uint32Array(bitmap.count());
  bitmap.list(rows);
  return { rows, words: bitmap.words };
}

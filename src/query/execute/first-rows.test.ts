import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Chance } from '../../../test/contract/query/chance.ts';
import { tableOf } from '../../../test/contract/query/plain-table.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import type { Table } from '../../snapshot/table.ts';
import { parsePlan } from '../parse/parse-plan.ts';
import { execute } from './execute.ts';

/** Many blocks, and a last one that is not full. */
const ROWS = 20_005;
const chance = new Chance(8);
const values = new Float64Array(new SharedArrayBuffer(8 * ROWS));
/** Many ties, and nulls. */
for (let row = 0; row < ROWS; row++) values[row] = chance.happens(0.1) ? Number.NaN : chance.below(3000) - 1500;
const none = new Float64Array(new SharedArrayBuffer(8 * ROWS)).fill(1);

const table: Table = {
  ...tableOf(TA_CUR, []),
  rows: ROWS,
  columns: TA_CUR.columns.map(({ name }) => ({ kind: 'number', values: name === 'sma5' ? values : none })),
};

/** By value times two, nulls last, ties by row. */
function sorted(rows: readonly number[], sign: number): number[] {
  return rows.toSorted((a, b) => {
    const nulls = Number(Number.isNaN(values[a])) - Number(Number.isNaN(values[b]));
    return nulls || sign * ((values[a]! || 0) - (values[b]! || 0)) || a - b;
  });
}

describe('pages in the order of a computed column', () => {
  const everyRow = Array.from({ length: ROWS }, (_, row) => row);
  for (const [filter, passes] of [
    ['', () => true],
    ['&where=own*1>1000', (row: number) => 2 * values[row]! > 1000],
    ['&where=own%20is%20null%20or%20own>2500', (row: number) => Number.isNaN(values[row]!) || 2 * values[row]! > 2500],
  ] as const) {
    for (const order of ['asc', 'desc'] as const) {
      for (const [limit, page] of [
        [10, 1],
        [100, 3],
        [1, 2000],
        [2400, 1],
        [3000, 2],
        [7, 900],
      ] as const) {
        it(`${order}, page ${page} of ${limit} rows${filter}`, () => {
          const expected = sorted(everyRow.filter(passes), order === 'asc' ? 1 : -1);
          const plan = parsePlan(TA_CUR, `calc=own:2*sma5&sort=own&order=${order}&page=${page}${filter}`);
          const found = execute(plan, table, limit);
          assert.deepEqual([...found.rows], expected.slice((page - 1) * limit, page * limit));
          assert.equal(found.total, expected.length);
        });
      }
    }
  }
});

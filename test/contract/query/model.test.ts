// Random requests, as query strings, against plain code over plain objects: equal row for row, whichever way is taken.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DATASETS } from '../../../src/domain/datasets.ts';
import { execute } from '../../../src/query/execute/execute.ts';
import { TUNING, type Tuning } from '../../../src/query/execute/tuning.ts';
import { parsePlan } from '../../../src/query/parse/parse-plan.ts';
import { Chance } from './chance.ts';
import { type PlainRow, tableOf } from './plain-table.ts';
import { randomRequest } from './random-requests.ts';
import { randomRows } from './random-rows.ts';
import { answer } from './reference.ts';

const never = Number.POSITIVE_INFINITY;
const afresh = { ...TUNING, bitmapCacheBytes: 0 };
const sorted = { sortNumberCost: 0, sortTextCost: 0 };
const alongBitmap = { sortNumberCost: never, sortTextCost: never };
const WAYS: Readonly<Record<string, Tuning>> = {
  'as tuned': TUNING,
  'walking the order': { ...afresh, walkShare: never, candidateShare: -1 },
  'from candidates, sorted': { ...afresh, candidateShare: 1, ...sorted },
  'from candidates, by bitmap': { ...afresh, candidateShare: 1, ...alongBitmap },
  'testing all, sorted': { ...afresh, walkShare: 0, candidateShare: -1, ...sorted },
  'testing all, by bitmap': { ...afresh, walkShare: 0, candidateShare: -1, ...alongBitmap },
  'testing all, cached for later': { ...TUNING, walkShare: 0, candidateShare: -1, ...sorted },
  'by cached bitmap': { ...TUNING, walkShare: 0, candidateShare: -1, ...alongBitmap },
};

/** Rows of the table, and requests that it gets. 9,000 rows are many words of a bitmap. */
const SIZES = [
  [0, 100],
  [1, 200],
  [2, 200],
  [300, 1500],
  [9000, 25],
] as const;

for (const dataset of DATASETS) {
  describe(`random requests for ${dataset.name} are answered as by plain code`, () => {
    for (const [size, requests] of SIZES) {
      it(`${requests} requests, ${size} rows`, () => {
        const chance = new Chance(size + 1);
        const rows = randomRows(dataset, size, chance);
        const table = withOrdersKept(tableOf(dataset, rows));
        let found = 0;
        for (let i = 0; i < requests; i++) {
          const { meaning, query } = randomRequest(dataset, rows, chance);
          const plan = parsePlan(dataset, query);
          const expected = answer(meaning, rows);
          found += expected.page.length;
          for (const [way, tuning] of Object.entries(WAYS)) {
            const page = execute(plan, table, meaning.limit, tuning);
            const actual = { page: [...page.rows].map(row => keyOf(rows, row)), total: page.total };
            assert.deepEqual(actual, expected, `${way}: ?${query}`);
            assert.equal(page.hasNext, meaning.page * meaning.limit < expected.total, `${way}: ?${query}`);
          }
          assert.deepEqual(
            plan.columns.map(index => dataset.columns[index]!.name),
            dataset.columns
              .filter(column => !('group' in column) || meaning.included.includes(column.name))
              .map(({ name }) => name)
              .filter(name => !meaning.excluded.includes(name)),
          );
        }
        if (size > 2) assert.ok(found > requests, `only ${found} rows were found: the requests test little`);
      });
    }
  });

  function keyOf(rows: readonly PlainRow[], row: number) {
    return rows[row]?.cells[dataset.tieBreaker];
  }
}

/** Plain orders are slow to make. */
function withOrdersKept(table: ReturnType<typeof tableOf>): ReturnType<typeof tableOf> {
  const kept = new Map<number, ReturnType<typeof table.order>>();
  return {
    ...table,
    order(column) {
      const order = kept.get(column) ?? table.order(column);
      kept.set(column, order);
      return order;
    },
  };
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Chance } from '../../test/contract/query/chance.ts';
import { tableOf } from '../../test/contract/query/plain-table.ts';
import { NUMBERS } from '../../test/contract/query/random-rows.ts';
import { TA_CUR } from '../domain/datasets.ts';
import { testsOf } from './execute/filter-tests.ts';
import { RowBitmap } from './execute/row-bitmap.ts';
import { OPERATORS } from './operators.ts';
import { parsePlan } from './parse/parse-plan.ts';

/** Not a multiple of 32, so that the last word of bitmap is not whole. */
const ROWS = 32 * 20 + 7;
const chance = new Chance(5);
const value = () => (chance.happens(0.2) ? null : chance.pick(NUMBERS));
const rows = Array.from({ length: ROWS }, (_, row) => ({
  cells: { symbol: String(row).padStart(4, '0'), datetimeUTC: null, sma5: value(), sma7: value() },
  history: chance.below(100),
}));
const table = tableOf(TA_CUR, rows);
const everyRow = Uint32Array.from(rows.keys());

type Row = (typeof rows)[number];
const compared = (row: Row, holds: (a: number, b: number) => boolean) =>
  row.cells.sma5 !== null && row.cells.sma7 !== null && holds(row.cells.sma5, row.cells.sma7);
const within = (cell: number | null, low: number, high: number) => cell !== null && cell >= low && cell <= high;

const CASES: readonly (readonly [string, (row: Row) => boolean])[] = [
  ...Object.entries(OPERATORS).map(
    ([operator, { holds }]) => [`[sma5]${operator}:[sma7]`, (row: Row) => compared(row, holds)] as const,
  ),
  ['sma5=0:3', ({ cells }) => within(cells.sma5, 0, 3)],
  ['sma5=-1:1e300', ({ cells }) => within(cells.sma5, -1, 1e300)],
  ['sma5=17', () => false],
  ['not_null=sma7', ({ cells }) => cells.sma7 !== null],
  ['not_null=datetimeUTC', () => false],
  ['not_null=symbol', () => true],
  ['min_history=90', ({ history }) => history >= 90],
  ['min_history=5', ({ history }) => history >= 5],
];

for (const [query, passes] of CASES) {
  describe(`the test of ${query}`, () => {
    const [test] = testsOf(parsePlan(TA_CUR, query), table);
    const passing = [...everyRow].filter(row => passes(rows[row]!));

    it('keeps the rows that pass, in their order', () => {
      const list = everyRow.toReversed();
      const end = test!.keep(list, 0, ROWS);
      assert.deepEqual([...list.subarray(0, end)], passing.toReversed());
    });

    it('names candidates that include them', () => {
      const candidates = test!.candidates ?? everyRow;
      assert.equal(test!.atMost, candidates.length);
      assert.ok(passing.every(row => candidates.includes(row)));
    });

    for (const share of [1, 0.5, 0.1, 0.01]) {
      it(`narrows bitmap on ${share * 100} % of the rows down to them`, () => {
        const selected = everyRow.filter(() => chance.happens(share));
        const bitmap = new RowBitmap();
        if (share === 1) bitmap.fill(ROWS);
        else {
          bitmap.clear(ROWS);
          bitmap.add(selected);
        }
        test!.narrow(bitmap);
        const left = new Uint32Array(ROWS);
        const count = bitmap.list(left);
        const expected = [...selected].filter(row => passes(rows[row]!));
        assert.deepEqual([...left.subarray(0, count)], expected);
        assert.equal(bitmap.count(), expected.length);
        test!.narrow(bitmap);
        assert.equal(bitmap.count(), expected.length, 'twice is as once');
      });
    }
  });
}

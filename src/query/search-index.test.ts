import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tableOf } from '../../test/query/plain-table.ts';
import { ASSETS } from '../domain/datasets.ts';
import { searchTest } from './search-index.ts';

describe('a search among many rows', () => {
  const count = 9000;
  const found = (row: number) => row % 7 === 0;
  const table = tableOf(
    ASSETS,
    Array.from({ length: count }, (_, row) => ({
      cells: {
        id: String(row).padStart(4, '0'),
        name: found(row) ? 'Moon' : 'Sun',
        symbol: 'S',
        is_new: false,
        is_active: true,
      },
      history: 0,
    })),
  );
  const test = searchTest(table, 'moon');

  for (const [from, to] of [
    [0, count],
    [1, 3],
    [4090, 4100],
    [8, 8190],
    [8192, count],
    [5, 5],
  ] as const) {
    const expected = Array.from({ length: to - from }, (_, i) => from + i).filter(found);
    it(`finds rows from ${from} to ${to}, and none beyond`, () => {
      const out = new Uint32Array(count + 1);
      const end = test.scan(from, to, out, 1);
      assert.deepEqual([...out.subarray(1, end)], expected);
    });
    it(`keeps rows from ${from} to ${to}, whatever their order`, () => {
      const rows = Uint32Array.from({ length: to - from }, (_, i) => to - 1 - i);
      const end = test.keep(rows, 0, rows.length);
      assert.deepEqual([...rows.subarray(0, end)], expected.toReversed());
    });
  }
});

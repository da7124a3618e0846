import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Chance } from '../../../test/contract/query/chance.ts';
import { tableOf } from '../../../test/contract/query/plain-table.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { OrderedRows } from './ordered-rows.ts';
import { RowBitmap } from './row-bitmap.ts';

/** Rows with one of four values or null, so that most tie. */
const values = (() => {
  const chance = new Chance(3);
  // The highest value is that of most rows, as the latest day is.
  return Array.from({ length: 60 }, () => (chance.happens(0.2) ? null : Math.min(chance.below(12), 3)));
})();
const change7 = TA_CUR.columns.findIndex(({ name }) => name === 'change7');
const table = tableOf(
  TA_CUR,
  values.map((value, row) => ({
    cells: { symbol: String(row), datetimeUTC: '2026-01-01T00:00:00.000Z', change7: value },
    history: 0,
  })),
);

function expectedRows(descending: boolean): number[] {
  const sign = descending ? -1 : 1;
  const key = (row: number) => (values[row] === null ? Number.POSITIVE_INFINITY : values[row]! * sign);
  // Infinity minus itself is no number, so ties of nulls are asked for first.
  return [...values.keys()].sort((a, b) => (key(a) === key(b) ? a - b : key(a) - key(b)));
}

function walk(descending: boolean): OrderedRows {
  return new OrderedRows(table.columns[change7]!, table.order(change7)!, descending, { from: 0, to: table.rows });
}

function restOf(ordered: OrderedRows, step: number): number[] {
  const [rows, chunk] = [[] as number[], new Uint32Array(step)];
  for (let count = ordered.next(chunk, step); count > 0; count = ordered.next(chunk, step)) {
    rows.push(...chunk.subarray(0, count));
  }
  assert.equal(ordered.next(chunk, step), 0, 'the end stays the end');
  return rows;
}

for (const descending of [false, true]) {
  const expected = expectedRows(descending);
  describe(`a walk along an order, ${descending ? 'descending' : 'ascending'}`, () => {
    it('gives every row once, nulls last and ties ascending, however many are taken at a time', () => {
      for (const step of [1, 2, 7, 60, 100]) assert.deepEqual(restOf(walk(descending), step), expected);
    });

    it('goes on from any row', () => {
      for (let index = 0; index <= expected.length + 1; index++) {
        const ordered = walk(descending);
        ordered.seek(index);
        assert.deepEqual(restOf(ordered, 8), expected.slice(index), `from ${index}`);
      }
    });

    for (const [name, isSelected] of [
      ['every third row', row => row % 3 === 0],
      ['every row', () => true],
      ['nulls only', row => values[row] === null],
      ['one row of a run', row => row === expected[20]],
    ] as const satisfies [string, (row: number) => boolean][]) {
      it(`finds any selected row, with bitmap on ${name}`, () => {
        const bitmap = new RowBitmap();
        bitmap.clear(table.rows);
        bitmap.add(Uint32Array.from(values.keys().filter(isSelected)));
        const selectedInOrder = expected.filter(isSelected);
        for (let index = 0; index < selectedInOrder.length; index++) {
          const ordered = walk(descending);
          ordered.seekSelected(bitmap, index, selectedInOrder.length);
          assert.deepEqual(restOf(ordered, 8).filter(isSelected), selectedInOrder.slice(index), `from ${index}`);
        }
      });
    }
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barsOf, findingsOf } from '../../test/support/source-bars.ts';
import { inconsistent } from './inconsistent.ts';

const UNKNOWN = Number.NaN;

function found(open: number, high: number, low: number, close: number) {
  return findingsOf(inconsistent, barsOf({ open: [open], high: [high], low: [low], close: [close] })).map(
    ({ value, expected, detail }) => ({ value, expected, detail }),
  );
}

describe('a bar', () => {
  for (const [name, open, high, low, close] of [
    ['with a high above all and a low below all', 10, 12, 9, 11],
    ['with equal prices', 10, 10, 10, 10],
    ['with a close only', UNKNOWN, UNKNOWN, UNKNOWN, 10],
    ['without a high', 10, UNKNOWN, 9, 11],
    ['without a low', 10, 12, UNKNOWN, 11],
  ] as const) {
    it(`${name} is consistent`, () => assert.deepEqual(found(open, high, low, close), []));
  }

  for (const [name, [open, high, low, close], value, expected, detail] of [
    ['with a high below the close', [10, 10.5, 9, 11], 10.5, 11, 'The high 10.5 is below the close 11.'],
    ['with a high below the open', [12.5, 12, 9, 11], 12, 12.5, 'The high 12 is below the open 12.5.'],
    ['with a low above the close', [12, 12, 11.5, 11], 11.5, 11, 'The low 11.5 is above the close 11.'],
    ['with a low above the open', [10, 12, 10.5, 11], 10.5, 10, 'The low 10.5 is above the open 10.'],
    ['with a low above close and high', [8, 9, 12, 8], 12, 8, 'The low 12 is above the close 8.'],
    [
      'with high and low in each other’s place',
      [10, 9, 12, 11],
      9,
      11,
      'The high 9 is below the close 11. The low 12 is above the close 11.',
    ],
    ['with a high below the low only', [UNKNOWN, 9, 12, UNKNOWN], 9, 12, 'The high 9 is below the low 12.'],
  ] as const) {
    it(`${name} is inconsistent`, () => {
      assert.deepEqual(found(open, high, low, close), [{ value, expected, detail }]);
    });
  }

  it('at the beginning and at the end is looked at', () => {
    const bars = barsOf({ open: [1, 1, 1], high: [1, 2, 1], low: [1, 1, 1], close: [2, 2, 2] }, [4, 5, 9]);
    assert.deepEqual(
      findingsOf(inconsistent, bars).map(({ period }) => period),
      [4, 9],
    );
  });
});

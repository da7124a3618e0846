import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangesOf } from './number-ranges.ts';

const cases: [what: string, numbers: number[], ranges: [number, number][]][] = [
  ['no numbers', [], []],
  ['one number', [7], [[7, 7]]],
  ['neighbours', [3, 4, 5], [[3, 5]]],
  [
    'gaps',
    [1, 3, 4, 9],
    [
      [1, 1],
      [3, 4],
      [9, 9],
    ],
  ],
  [
    'numbers in any order, some twice',
    [5, 3, 4, 3, 11, 10],
    [
      [3, 5],
      [10, 11],
    ],
  ],
];
for (const [what, numbers, ranges] of cases) {
  test(`ranges of ${what}`, () => assert.deepEqual(rangesOf(numbers), ranges));
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runsOf } from './key-runs.ts';

const cases: [what: string, keys: number[], runs: [number, number][]][] = [
  ['no keys', [], []],
  ['one key', [7], [[7, 7]]],
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
    'keys in any order, some twice',
    [5, 3, 4, 3, 11, 10],
    [
      [3, 5],
      [10, 11],
    ],
  ],
];
for (const [what, keys, runs] of cases) {
  test(`runs of ${what}`, () => assert.deepEqual(runsOf(keys), runs));
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beforeReplaced } from './replaced-closes.ts';

describe('closes before some were replaced', () => {
  const now = { day: Int32Array.of(5, 6, 7), close: Float64Array.of(50, 60, 70) };

  for (const [what, replaced, day, close] of [
    ['none', [], [5, 6, 7], [50, 60, 70]],
    ['one', [[6, 1]], [5, 6, 7], [50, 1, 70]],
    ['one that was not there', [[6, Number.NaN]], [5, 7], [50, 70]],
    ['one that was removed', [[4, 40]], [4, 5, 6, 7], [40, 50, 60, 70]],
    [
      'one that was removed in between',
      [
        [6, 60],
        [8, 80],
      ],
      [5, 6, 7, 8],
      [50, 60, 70, 80],
    ],
    ['one that was removed before the first day', [[0, 1]], [5, 6, 7], [50, 60, 70]],
    [
      'all',
      [
        [5, 1],
        [6, Number.NaN],
        [7, 3],
      ],
      [5, 7],
      [1, 3],
    ],
  ] as [string, [number, number][], number[], number[]][]) {
    it(`are as they were: ${what}`, () => {
      const before = beforeReplaced(now, new Map(replaced), 1, 9);
      assert.deepEqual([[...before.day], [...before.close]], [day, close]);
      assert.deepEqual([...now.close], [50, 60, 70], 'what is now stays');
    });
  }
});

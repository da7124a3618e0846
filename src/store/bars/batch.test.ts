import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barColumns } from '../../domain/bar.ts';
import type { StoredBars } from '../port/store.ts';
import { sortBars } from './batch.ts';

/** Each bar as asset, day, open and close. */
function batch(bars: readonly (readonly [key: number, day: number, open: number, close: number])[]): StoredBars {
  const columns = barColumns(bars.length);
  for (const [i, [, day, open, close]] of bars.entries()) {
    [columns.day[i], columns.open[i], columns.close[i]] = [day, open, close];
  }
  return { ...columns, count: bars.length, assetNumber: Uint32Array.from(bars, ([assetNumber]) => assetNumber) };
}

describe('a batch of bars', () => {
  for (const [what, given, expected] of [
    [
      'in order stays as it is',
      [
        [1, 5, 1, 1],
        [1, 6, 2, 2],
        [2, 5, 3, 3],
      ],
      [
        [1, 5, 1, 1],
        [1, 6, 2, 2],
        [2, 5, 3, 3],
      ],
    ],
    [
      'is sorted by asset and day',
      [
        [2, 5, 3, 3],
        [1, 6, 2, 2],
        [1, 5, 1, 1],
      ],
      [
        [1, 5, 1, 1],
        [1, 6, 2, 2],
        [2, 5, 3, 3],
      ],
    ],
    [
      'has one bar per asset and day, with the latest known numbers',
      [
        [2, 5, 9, 9],
        [1, 6, 10, 1],
        [1, 6, Number.NaN, 2],
        [1, 6, Number.NaN, 3],
      ],
      [
        [1, 6, 10, 3],
        [2, 5, 9, 9],
      ],
    ],
    [
      'has one bar per asset and day, also if it is sorted',
      [
        [1, 6, 10, 1],
        [1, 6, 11, 2],
      ],
      [[1, 6, 11, 2]],
    ],
  ] as const) {
    it(what, () => {
      const { count, assetNumber, day, open, close, spans } = sortBars(batch(given));
      const rows = Array.from({ length: count }, (_, i) => [assetNumber[i], day[i], open[i], close[i]]);
      assert.deepEqual(rows, expected);
      const keys = spans.flatMap(span => Array(span.end - span.start).fill(span.assetNumber));
      assert.deepEqual(
        keys,
        expected.map(([asset]) => asset),
      );
    });
  }
});

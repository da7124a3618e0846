import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryPoint } from './history.ts';
import { type Mark, marksByPoint } from './marks.ts';

test('a mark belongs to the point that it lies in, and not to one before the first', () => {
  const points = [100, 200, 300].map(start => ({ start }) as HistoryPoint); // only their starts are read
  const marks = [50, 100, 250, 299, 999].map(start => ({ start }) as Mark);
  const starts = [...marksByPoint(points, marks)].map(([start, own]) => [start, own.map(mark => mark.start)]);
  assert.deepEqual(starts, [
    [100, [100]],
    [200, [250, 299]],
    [300, [999]],
  ]);
  assert.equal(marksByPoint([], marks).size, 0);
});

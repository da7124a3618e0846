import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Box, squarify } from './treemap.ts';

const values = fc
  .array(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 60 })
  .map(list => list.toSorted((a, b) => b - a));
const side = fc.double({ min: 10, max: 4000, noNaN: true });
const boxes = fc.record({ x: fc.constant(3), y: fc.constant(7), width: side, height: side });

const overlap = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

function holds(check: (list: readonly number[], box: Box, rectangles: readonly Box[]) => void): void {
  fc.assert(fc.property(values, boxes, (list, box) => check(list, box, squarify(list, box))));
}

describe('a treemap', () => {
  it('has areas proportional to the values', () =>
    holds((list, box, rectangles) => {
      const total = list.reduce((sum, value) => sum + value, 0);
      const whole = box.width * box.height;
      for (const [i, { width, height }] of rectangles.entries()) {
        assert.ok(Math.abs(width * height - (list[i]! / total) * whole) <= whole * 1e-9);
      }
    }));

  it('covers its box, with no rectangle outside it', () =>
    holds((_, box, rectangles) => {
      const sum = rectangles.reduce((area, { width, height }) => area + width * height, 0);
      assert.ok(Math.abs(sum / (box.width * box.height) - 1) < 1e-9);
      for (const { x, y, width, height } of rectangles) {
        assert.ok(x >= box.x - 1e-6 && x + width <= box.x + box.width + 1e-6);
        assert.ok(y >= box.y - 1e-6 && y + height <= box.y + box.height + 1e-6);
      }
    }));

  it('has no two rectangles that overlap', () =>
    holds((_, box, rectangles) => {
      for (const [i, a] of rectangles.entries()) {
        for (const b of rectangles.slice(i + 1)) assert.ok(overlap(a, b) <= box.width * box.height * 1e-9);
      }
    }));

  it('lays out the example of the paper as the paper does', () => {
    const round = (box: Box) => [box.x, box.y, box.width, box.height].map(number => Math.round(number * 100) / 100);
    assert.deepEqual(squarify([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 }).map(round), [
      [0, 0, 3, 2],
      [0, 2, 3, 2],
      [3, 0, 1.71, 2.33],
      [4.71, 0, 1.29, 2.33],
      [3, 2.33, 1.2, 1.67],
      [4.2, 2.33, 1.2, 1.67],
      [5.4, 2.33, 0.6, 1.67],
    ]);
  });
});

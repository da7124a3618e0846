import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { windowRange } from './window-range.ts';

const DAYS = 40;
const sequence = fc.array(fc.oneof({ weight: 15, arbitrary: fc.integer() }, fc.constant(Number.NaN)), {
  minLength: DAYS,
  maxLength: DAYS,
});

it('the lowest and the highest of a window are those of its values, NaN if one of these is, whichever days are asked for', () => {
  fc.assert(
    fc.property(
      sequence,
      sequence,
      fc.integer({ min: 1, max: 15 }),
      fc.nat(DAYS),
      fc.nat(DAYS),
      (a, b, count, x, y) => {
        const [first, end] = [Math.max(count - 1, Math.min(x, y)), Math.max(x, y)];
        const range = windowRange(Float64Array.from(a), Float64Array.from(b), count, first, end);
        for (let day = first; day < end; day++) {
          const window = (values: readonly number[]) => values.slice(day - count + 1, day + 1);
          assert.equal(range.lowest[day - first], Math.min(...window(a)), `day ${day}`);
          assert.equal(range.highest[day - first], Math.max(...window(b)), `day ${day}`);
        }
      },
    ),
  );
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { WindowProducts } from './window-products.ts';

const DAYS = 60;
const SCALE = 2 ** 30;
/** Whole numbers over 2³⁰, so that products of two of them are exact as integers, and not as doubles. */
const sequence = fc
  .array(fc.maxSafeInteger(), { minLength: DAYS, maxLength: DAYS })
  .map(integers => ({ integers, values: Float64Array.from(integers, each => each / SCALE) }));
const cases = fc.record({
  a: sequence,
  b: sequence,
  count: fc.integer({ min: 1, max: 20 }),
  shift: fc.integer({ min: -5, max: 5 }),
  firstDay: fc.integer({ min: 0, max: 20_000 }),
  /** Steps from one day to the next one that is asked for; mostly it is the day after. */
  steps: fc.array(fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.integer({ min: -30, max: 30 })), {
    minLength: 1,
    maxLength: 80,
  }),
});

/** The days that have a whole window of both, in the order of the steps. */
function daysOf(steps: readonly number[], count: number, shift: number): number[] {
  const [first, end] = [count - 1 + Math.max(0, -shift), DAYS - Math.max(0, shift)];
  let day = first;
  return steps.map(step => {
    day = first + ((((day - first + step) % (end - first)) + end - first) % (end - first));
    return day;
  });
}

describe('sums of products over the last n days', () => {
  it('have the same bits whether the windows before were summed or not', () => {
    fc.assert(
      fc.property(cases, ({ a, b, count, shift, firstDay, steps }) => {
        const sums = () => new WindowProducts(a.values, b.values, shift, count, firstDay);
        const moved = sums();
        for (const day of daysOf(steps, count, shift)) assert.equal(moved.upTo(day), sums().upTo(day), `day ${day}`);
      }),
    );
  });

  it('have the same bits wherever the sequence begins', () => {
    fc.assert(
      fc.property(cases, ({ a, b, count, firstDay }) => {
        const whole = new WindowProducts(a.values, b.values, 0, count, firstDay);
        const later = new WindowProducts(a.values.slice(30), b.values.slice(30), 0, count, firstDay + 30);
        for (let day = 30 + count - 1; day < DAYS; day++) assert.equal(later.upTo(day - 30), whole.upTo(day));
      }),
    );
  });

  it('differ from the exact ones by the rounding of each product and of the result', () => {
    fc.assert(
      fc.property(cases, ({ a, b, count, shift, firstDay, steps }) => {
        const sums = new WindowProducts(a.values, b.values, shift, count, firstDay);
        for (const day of daysOf(steps, count, shift)) {
          let [exact, size] = [0n, 0n];
          for (let i = day - count + 1; i <= day; i++) {
            const product = BigInt(a.integers[i]!) * BigInt(b.integers[i + shift]!);
            exact += product;
            size += product < 0n ? -product : product;
          }
          // A double below 2¹¹³ times 2⁶⁰ is a whole number, or its fraction is far below the bound.
          const error = BigInt(Math.round(sums.upTo(day) * SCALE * SCALE)) - exact;
          const bound = size / 2n ** 52n + 1n;
          assert.ok(error <= bound && -error <= bound, `day ${day}: off by ${error} of ${size}`);
        }
      }),
    );
  });
});

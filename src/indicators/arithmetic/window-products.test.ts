import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { windowProducts } from './window-products.ts';

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
  /** Of the days that have a whole window of both. */
  part: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
});

interface Case {
  readonly a: { readonly values: Float64Array };
  readonly b: { readonly values: Float64Array };
  readonly count: number;
  readonly shift: number;
  readonly firstDay: number;
}

function sums({ a, b, count, shift, firstDay }: Case, first: number, end: number): Float64Array {
  const out = new Float64Array(end - first);
  windowProducts({ a: a.values, b: b.values, shift, firstDay }, count, first, end, out);
  return out;
}

/** The days that have a whole window of both, and some of them. */
function daysOf({ count, shift }: Case, [from, to]: readonly [number, number] = [0, 1]) {
  const first = count - 1 + Math.max(0, -shift);
  const days = DAYS - Math.max(0, shift) - first;
  const [least, most] = [Math.min(from, to), Math.max(from, to)];
  return { first: first + Math.floor(least * days), end: first + Math.ceil(most * days) };
}

describe('sums of products over the last n days', () => {
  it('have the same bits whichever days are asked for', () => {
    fc.assert(
      fc.property(cases, each => {
        const [whole, some] = [daysOf(each), daysOf(each, each.part)];
        const all = sums(each, whole.first, whole.end);
        const part = all.slice(some.first - whole.first, some.end - whole.first);
        assert.deepEqual(sums(each, some.first, some.end), part);
      }),
    );
  });

  it('have the same bits wherever the sequence begins', () => {
    fc.assert(
      fc.property(cases, ({ a, b, count, firstDay }) => {
        const [first, end] = [30 + count - 1, DAYS];
        const later = { a: { values: a.values.slice(30) }, b: { values: b.values.slice(30) } };
        assert.deepEqual(
          sums({ ...later, count, shift: 0, firstDay: firstDay + 30 }, first - 30, end - 30),
          sums({ a, b, count, shift: 0, firstDay }, first, end),
        );
      }),
    );
  });

  it('differ from the exact ones by the rounding of each product and of the result', () => {
    fc.assert(
      fc.property(cases, each => {
        const { a, b, count, shift } = each;
        const { first, end } = daysOf(each);
        for (const [at, sum] of sums(each, first, end).entries()) {
          const day = first + at;
          let [exact, size] = [0n, 0n];
          for (let i = day - count + 1; i <= day; i++) {
            const product = BigInt(a.integers[i]!) * BigInt(b.integers[i + shift]!);
            exact += product;
            size += product < 0n ? -product : product;
          }
          // A double below 2¹¹³ times 2⁶⁰ is a whole number, or its fraction is far below the bound.
          const error = BigInt(Math.round(sum * SCALE * SCALE)) - exact;
          const bound = size / 2n ** 52n + 1n;
          assert.ok(error <= bound && -error <= bound, `day ${day}: off by ${error} of ${size}`);
        }
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barsOf, closesOf, findingsOf, repeated, shortly } from '../../test/support/source-bars.ts';
import { shift } from './shift.ts';

function found(closes: readonly number[]): string[] {
  return shortly(findingsOf(shift, closesOf(...closes)));
}

function detail(...closes: readonly number[]): string {
  return findingsOf(shift, closesOf(...closes))[0]!.detail;
}

const [LOW, HIGH] = [repeated(1, 10), repeated(8, 10)];

describe('a shift', () => {
  const CASES: readonly (readonly [string, readonly number[], readonly string[]])[] = [
    ['up is found', [...LOW, ...HIGH], ['10: 8, not 1']],
    ['down is found', [...HIGH, ...LOW], ['10: 1, not 8']],
    ['by the factor 5 exactly is not found', [...LOW, ...repeated(5, 10)], []],
    ['down by the factor 5 exactly is not found', [...repeated(5, 10), ...LOW], []],
    ['just above the factor is found', [...LOW, ...repeated(5.001, 10)], ['10: 5.001, not 1']],
    ['and back after ten closes are two', [...LOW, ...HIGH, ...LOW], ['10: 8, not 1', '20: 1, not 8']],
    ['and back after five closes is not one', [...LOW, ...HIGH.slice(5), ...LOW], []],
    ['for six of ten closes is one', [...LOW, ...HIGH.slice(4), ...LOW], ['10: 8, not 1', '16: 1, not 8']],
    ['of one close that comes back is not one', [...LOW, 8, ...LOW], []],
    ['of one close that comes back at the end is not one', [...LOW, 8, 1], []],
    ['of the newest close is one until it comes back', [...LOW, 8], ['10: 8, not 1']],
    ['after the first close is found', [8, ...LOW], ['1: 1, not 8']],
    ['is found in two bars', [1, 8], ['1: 8, not 1']],
    ['is not found in one bar', [1], []],
    ['from or to a close that is not a number is not found', [...LOW, Number.NaN, ...HIGH], []],
    ['from zero, or to infinity, is not found', [0, 1, Number.POSITIVE_INFINITY, -1, 1], []],
  ];
  for (const [name, closes, expected] of CASES) it(name, () => assert.deepEqual(found(closes), expected));

  it('stays if the medians differ by at least 0.8 of the jump, in logarithms', () => {
    // A jump by 2¹⁰ that settles at 2⁸ is kept by 0.8 of it exactly.
    assert.equal(found([...LOW, 1024, ...repeated(256, 9)]).length, 1);
    assert.equal(found([...LOW, 1024, ...repeated(255, 9)]).length, 0);
    assert.equal(found([...LOW, 1 / 1024, ...repeated(1 / 256, 9)]).length, 1);
    assert.equal(found([...LOW, 1 / 1024, ...repeated(1 / 255, 9)]).length, 0);
  });

  it('is compared with the mean of the two closes in the middle, as logarithms', () => {
    // The five lower and the five upper closes meet at 2⁷ and 2⁹, which is 2⁸ in the middle.
    assert.equal(found([...LOW, 1024, ...repeated(128, 5), ...repeated(512, 4)]).length, 1);
    assert.equal(found([...LOW, 1024, ...repeated(127, 5), ...repeated(512, 4)]).length, 0);
  });

  it('looks at ten closes on each side only', () => {
    assert.equal(found([...repeated(1000, 50), ...LOW, ...HIGH, ...repeated(1000, 50)]).includes('60: 8, not 1'), true);
  });

  it('is the same for a series and for its reciprocals', () => {
    const closes = [3, 1, 2, 1, 7, 60, 50, 70, 90, 3, 2, 5, 1, 40, 40, 41, 20, 300, 2, 1, 1];
    const periods = (values: readonly number[]) => findingsOf(shift, closesOf(...values)).map(({ period }) => period);
    assert.deepEqual(periods(closes.map(close => 1 / close)), periods(closes));
    assert.ok(periods(closes).length > 0);
  });

  it('says when the factor is near a power of ten', () => {
    assert.equal(
      detail(...LOW, ...repeated(1000.4, 10)),
      'The level rose by a factor of 1,000.4, near a power of ten: a redenomination?',
    );
    assert.equal(
      detail(...repeated(105, 10), ...LOW),
      'The level fell by a factor of 105, near a power of ten: a redenomination?',
    );
    assert.equal(detail(...LOW, ...repeated(89, 10)), 'The level rose by a factor of 89.');
    assert.equal(detail(...LOW, ...repeated(111, 10)), 'The level rose by a factor of 111.');
  });

  it('says how few closes there are at the new level, and what is missing before it', () => {
    assert.equal(detail(...LOW, 8), 'The level rose by a factor of 8. The new level has 1 close so far.');
    assert.equal(detail(...LOW, 8, 8), 'The level rose by a factor of 8. The new level has 2 closes so far.');
    const bars = barsOf({ close: [1, ...HIGH] }, [1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    assert.equal(findingsOf(shift, bars)[0]!.detail, 'The level rose by a factor of 8 after 3 periods without a bar.');
  });
});

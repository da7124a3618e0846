import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayFromIso } from '../domain/day.ts';
import { dailySeries, halvesOf, surelyPrices } from './calendar.ts';

const day = (iso: string): number => dayFromIso(iso) ?? assert.fail(iso);

describe('bars become a dense daily series', () => {
  it('as they are when no day is missing', () => {
    assert.deepEqual(dailySeries([100, 101, 102], [1, 2, 3]), { firstDay: 100, closes: Float64Array.of(1, 2, 3) });
  });

  it('with the close before a gap carried forward through it', () => {
    assert.deepEqual(dailySeries([100, 103, 104, 106], [1, 2, 3, 4]).closes, Float64Array.of(1, 1, 1, 2, 3, 3, 4));
  });

  it('across a leap day and the turn of a year', () => {
    assert.equal(dailySeries([day('2024-02-28'), day('2024-03-01')], [1, 2]).closes.length, 3);
    assert.equal(dailySeries([day('2023-02-28'), day('2023-03-01')], [1, 2]).closes.length, 2);
    assert.equal(dailySeries([day('2000-01-01'), day('2100-01-01')], [1, 2]).closes.length, 36_525 + 1);
  });

  it('of one close', () => {
    assert.deepEqual(dailySeries([5], [7]), { firstDay: 5, closes: Float64Array.of(7) });
  });
});

describe('bars that are not series are refused with the fault and its position', () => {
  for (const [name, days, closes, fault, position] of [
    ['none', [], [], 'empty_series', 0],
    ['a day twice', [1, 2, 2], [1, 1, 1], 'unsorted_days', 2],
    ['days that go back', [3, 2], [1, 1], 'unsorted_days', 1],
    ['a day before the calendar', [-1, 2], [1, 1], 'day_out_of_range', 0],
    ['a period after the calendar', [1, 2 ** 27], [1, 1], 'day_out_of_range', 1],
    ['half a day', [1, 2.5], [1, 1], 'day_out_of_range', 1],
    ['a day that is not a number', [Number.NaN], [1], 'day_out_of_range', 0],
    ['a price of zero', [1, 2], [1, 0], 'bad_price', 1],
    ['a negative price', [1, 2], [-1, 1], 'bad_price', 0],
    ['a price that is not a number', [1, 2, 3], [1, 1, Number.NaN], 'bad_price', 2],
    ['an infinite price', [1], [Number.POSITIVE_INFINITY], 'bad_price', 0],
    ['fewer closes than days', [1, 2], [1], 'length_mismatch', 1],
  ] as const) {
    it(name, () => {
      assert.throws(() => dailySeries(days, closes), { name: 'SeriesError', fault, position });
    });
  }
});

describe('the quick look at closes', () => {
  it('is sure only of prices, and of all but those at the very ends', () => {
    const sure = (value: number) => surelyPrices(halvesOf(Float64Array.of(1, value, 1)), 0, 3);
    for (const price of [1.1e-18, 1e-12, 0.1, 1, 1e12, 9.9e14]) assert.equal(sure(price), true, String(price));
    const none = [
      0,
      -0,
      -1,
      -1e-300,
      -1e300,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      1e-19,
      5e-324,
    ];
    for (const value of [...none, 1.01e15, 1e16, 1e300]) assert.equal(sure(value), false, String(value));
    assert.equal(surelyPrices(halvesOf(Float64Array.of(1)), 1, 1), false, 'no closes');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnsOf } from '../../test/support/oracle/bars.ts';
import { uniform } from '../../test/support/oracle/series.ts';
import { barsInQuote } from '../../test/support/quoted-bars.ts';
import { QuoteCloses } from './quote-closes.ts';

const closes = (day: readonly number[], close: readonly number[]) => ({
  day: Int32Array.from(day),
  close: Float64Array.from(close),
});

describe('the closes of a quote', () => {
  it('are carried forward over seven days, and no longer', () => {
    const quote = new QuoteCloses('1d', closes([10, 12, 30], [2, 4, 8]));
    const found = [9, 10, 11, 12, 19, 20, 29, 30, 37, 38].map(day => quote.at(day));
    const nan = Number.NaN;
    assert.deepEqual(found, [nan, 2, 2, 4, 4, nan, nan, 8, 8, nan]);
    assert.deepEqual(
      [9, 10, 19, 25, 30, 99].map(day => quote.lastUpTo(day)),
      [-1, 10, 19, 19, 30, 37],
    );
    assert.deepEqual([quote.first, new QuoteCloses('1d', closes([], [])).first], [10, Number.POSITIVE_INFINITY]);
    // A week of hours.
    const hours = new QuoteCloses('1h', closes([1000], [3]));
    assert.deepEqual([hours.at(1168), hours.at(1169)], [3, nan]);
  });

  it('of an asset itself give 1', () => {
    const own = closes([1, 2, 4], [0.1, 1 / 3, 7e-13]);
    assert.deepEqual([...new QuoteCloses('1d', own).convertCloses(own).close], [1, 1, 1]);
  });

  it('convert bars as the definition says, whatever was looked up before', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = uniform(seed);
      const days = (count: number, share: number) =>
        Array.from({ length: count }, (_, i) => 100 + i).filter(() => random() < share);
      const [own, other] = [days(120, 0.6), days(90, seed % 2 === 0 ? 0.1 : 0.7)];
      const prices = (of: readonly number[]) => of.map(() => 1 + random());
      const bars = {
        ...{ day: own, open: prices(own), high: prices(own), low: prices(own), close: prices(own) },
        volume: own.map(() => (random() < 0.2 ? null : random())),
      };
      const quote = { day: other, close: prices(other) };
      const expected = columnsOf(barsInQuote(bars, quote, 86_400_000));
      const converter = new QuoteCloses('1d', closes(quote.day, quote.close));
      assert.deepEqual(converter.convertBars(columnsOf(bars)), expected);
      const divided = Float64Array.from(bars.close);
      const isWhole = converter.divide(divided, 0, Int32Array.from(own));
      assert.equal(isWhole, expected.day.length === own.length);
      const { day, close } = converter.convertCloses(columnsOf(bars));
      assert.deepEqual([day, close], [expected.day, expected.close]);
      for (const [i, each] of expected.day.entries()) assert.equal(divided[own.indexOf(each)], expected.close[i]);
    }
  });
});

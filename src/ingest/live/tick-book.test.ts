import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayFromIso } from '../../domain/day.ts';
import { TickBook } from './tick-book.ts';

const TODAY = dayFromIso('2026-03-10')!;
const NOON = Date.UTC(2026, 2, 10, 12);
const MINUTE = 60_000;

describe('ticks', () => {
  it('leave the newest price of each market, once', () => {
    const book = new TickBook();
    book.take('A', { timestamp: NOON, price: 1 }, NOON);
    book.take('B', { timestamp: NOON, price: 5 }, NOON);
    book.take('A', { timestamp: NOON + 1, price: 2 }, NOON);
    assert.deepEqual(book.drain(TODAY), [
      { market: 'A', day: TODAY, price: 2 },
      { market: 'B', day: TODAY, price: 5 },
    ]);
    assert.deepEqual(book.drain(TODAY), []);
    // The same price again is nothing new, but it is a sign of life.
    book.take('A', { timestamp: NOON + MINUTE, price: 2 }, NOON);
    assert.deepEqual([book.drain(TODAY), book.newestAt], [[], NOON + MINUTE]);
  });

  it('out of order are ignored', () => {
    const book = new TickBook();
    book.take('A', { timestamp: NOON, price: 1 }, NOON);
    book.take('A', { timestamp: NOON - 1, price: 9 }, NOON);
    assert.deepEqual(book.drain(TODAY), [{ market: 'A', day: TODAY, price: 1 }]);
    book.take('A', { timestamp: NOON, price: 2 }, NOON);
    assert.deepEqual(book.drain(TODAY), [{ market: 'A', day: TODAY, price: 2 }]);
    assert.equal(book.counts.outOfOrder, 1);
  });

  for (const price of [undefined, Number.NaN, 0, -1, Number.POSITIVE_INFINITY, 1e300, 1e-30]) {
    it(`with the price ${price} are refused`, () => {
      const book = new TickBook();
      book.take('A', { timestamp: NOON, price }, NOON);
      assert.deepEqual([book.drain(TODAY), book.counts.refused, book.newestAt], [[], 1, null]);
    });
  }

  for (const timestamp of [NOON + 11 * MINUTE, Number.NaN, -1e30, 1e30]) {
    it(`of the time ${timestamp} are refused`, () => {
      const book = new TickBook();
      book.take('A', { timestamp, price: 1 }, NOON);
      assert.deepEqual([book.drain(TODAY), book.counts.refused], [[], 1]);
    });
  }

  it('without a time have that of this machine', () => {
    const book = new TickBook();
    book.take('A', { timestamp: undefined, price: 1 }, NOON);
    assert.equal(book.newestAt, NOON);
  });

  it('belong to the day of the exchange, also when the clock of this machine is some minutes behind', () => {
    const book = new TickBook();
    const midnight = Date.UTC(2026, 2, 11);
    book.take('A', { timestamp: midnight - 1, price: 1 }, midnight - MINUTE);
    book.take('B', { timestamp: midnight, price: 2 }, midnight - MINUTE);
    assert.deepEqual(
      book.drain(TODAY).map(({ day }) => day - TODAY),
      [0, 1],
    );
  });

  it('of an earlier day are left to the daily candle', () => {
    const book = new TickBook();
    book.take('A', { timestamp: NOON - 86_400_000, price: 1 }, NOON);
    assert.deepEqual(book.drain(TODAY), []);
  });

  it('that could not be stored come again, with the newest price', () => {
    const book = new TickBook();
    book.take('A', { timestamp: NOON, price: 1 }, NOON);
    const lost = book.drain(TODAY);
    book.take('A', { timestamp: NOON + 1, price: 2 }, NOON);
    book.giveBack(lost);
    assert.deepEqual(book.drain(TODAY), [{ market: 'A', day: TODAY, price: 2 }]);
  });

  it('of markets that are no longer followed are forgotten', () => {
    const book = new TickBook();
    book.take('A', { timestamp: NOON, price: 1 }, NOON);
    book.keepOnly(new Set(['B']));
    assert.deepEqual(book.drain(TODAY), []);
  });
});

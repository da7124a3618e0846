import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MinuteBook, type TickMinute } from './minute-book.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 18, 12);
const first = START / MINUTE;

/** Of the minutes that were drained, the last of each market and minute. */
function stored(minutes: readonly TickMinute[]): Map<string, number[]> {
  return new Map(
    minutes.map(({ market, minute, open, high, low, close }) => [`${market} ${minute}`, [open, high, low, close]]),
  );
}

describe('the minutes of ticks', () => {
  it('have the first, highest, lowest and last price of each minute, whenever they are drained', () => {
    const tick = fc.record({
      after: fc.integer({ min: 0, max: 50_000 }),
      price: fc.integer({ min: 1, max: 99 }),
      drain: fc.boolean(),
      fails: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(tick, { maxLength: 60 }), ticks => {
        const book = new MinuteBook();
        const drained: TickMinute[] = [];
        const prices = new Map<string, number[]>();
        let now = START;
        for (const { after, price, drain, fails } of ticks) {
          now += after;
          book.take('M', now, price, now);
          const key = `M ${Math.floor(now / MINUTE)}`;
          prices.set(key, [...(prices.get(key) ?? []), price]);
          if (!drain) continue;
          const minutes = book.drain();
          if (fails) book.giveBack(minutes);
          else drained.push(...minutes);
        }
        drained.push(...book.drain());
        const expected = [...prices].map(
          ([key, all]) => [key, [all[0]!, Math.max(...all), Math.min(...all), all.at(-1)!]] as const,
        );
        assert.deepEqual(stored(drained), new Map(expected));
        assert.deepEqual(book.drain(), []);
      }),
    );
  });

  it('are none of the future', () => {
    const book = new MinuteBook();
    book.take('M', START + 5 * MINUTE, 7, START);
    assert.deepEqual(stored(book.drain()), new Map([[`M ${first}`, [7, 7, 7, 7]]]));
  });

  it('wait for an hour at most', () => {
    const book = new MinuteBook();
    for (let i = 0; i < 1000; i++) book.take('M', START + i * MINUTE, i + 1, START + i * MINUTE);
    assert.equal(book.drain().length, 61);
  });

  it('of a market that is no longer followed are forgotten', () => {
    const book = new MinuteBook();
    for (const market of ['A', 'B']) for (const at of [START, START + MINUTE]) book.take(market, at, 1, at);
    book.keepOnly(new Set(['B']));
    assert.deepEqual([...stored(book.drain()).keys()], [`B ${first}`, `B ${first + 1}`]);
  });
});

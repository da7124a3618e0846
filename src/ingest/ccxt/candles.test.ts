import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Candle, candleParts, type FetchPage, type OddCandles, type RawCandle, type Span } from './candles.ts';

const DAY = 86_400_000;
const raw = (number: number): RawCandle => [number * DAY, 1, 2, 0.5, number, 10];

/** How an exchange answers `since` and `until`. */
interface Habits {
  readonly since: 'included' | 'excluded';
  /** The oldest after `since`, those of a window after it, or the newest whatever it says. */
  readonly page: 'oldest' | 'window' | 'newest';
  readonly honoursUntil: boolean;
}

function exchange(days: readonly number[], limit: number, habits: Habits) {
  let requests = 0;
  const fetchPage: FetchPage = async (since, until) => {
    requests++;
    const after = (number: number) => (habits.since === 'included' ? number * DAY >= since : number * DAY > since);
    const before = (number: number) => until === null || !habits.honoursUntil || number * DAY <= until;
    const reachable = days.filter(before);
    if (habits.page === 'newest') return reachable.slice(-limit).map(raw);
    if (habits.page === 'oldest') return reachable.filter(after).slice(0, limit).map(raw);
    return reachable.filter(number => after(number) && number * DAY < since + limit * DAY).map(raw);
  };
  return { fetchPage, requests: () => requests };
}

interface Pulled {
  readonly candles: readonly Candle[];
  readonly odd: readonly OddCandles[];
  /** How many candles had left after each part. */
  readonly parts: readonly number[];
}

async function pull(fetchPage: FetchPage, span: Omit<Span, 'interval' | 'part'> & Partial<Span>): Promise<Pulled> {
  const parts = candleParts(fetchPage, { interval: '1d', part: 1_000_000, ...span });
  const candles: Candle[] = [];
  const sizes: number[] = [];
  for (;;) {
    const { value, done } = await parts.next();
    if (done) return { candles, odd: value, parts: sizes };
    candles.push(...value);
    sizes.push(candles.length);
  }
}

const closes = async (fetchPage: FetchPage, from: number, current: number, limit: number, part = 1_000_000) =>
  (await pull(fetchPage, { from, current, limit, part })).candles.map(({ close }) => close);

const traded = fc
  .uniqueArray(fc.integer({ min: 1000, max: 1300 }), { maxLength: 200 })
  .map(days => days.sort((a, b) => a - b));
const limits = fc.integer({ min: 2, max: 60 });

describe('every candle comes once, oldest first, whatever the habits of the exchange', () => {
  for (const page of ['oldest', 'window'] as const) {
    for (const since of ['included', 'excluded'] as const) {
      for (const honoursUntil of [true, false]) {
        it(`pages of the ${page}, since ${since}, until ${honoursUntil ? 'honoured' : 'ignored'}`, async () => {
          await fc.assert(
            fc.asyncProperty(
              traded,
              limits,
              fc.integer({ min: 900, max: 1310 }),
              limits,
              async (days, limit, from, part) => {
                const { fetchPage } = exchange(days, limit, { page, since, honoursUntil });
                assert.deepEqual(
                  await closes(fetchPage, from, 1300, limit, part),
                  days.filter(number => number >= from),
                );
              },
            ),
            { numRuns: 150 },
          );
        });
      }
    }
  }

  it('an exchange that ignores since and honours until', async () => {
    await fc.assert(
      fc.asyncProperty(traded, limits, fc.integer({ min: 900, max: 1310 }), limits, async (days, limit, from, part) => {
        const { fetchPage } = exchange(days, limit, { page: 'newest', since: 'included', honoursUntil: true });
        assert.deepEqual(
          await closes(fetchPage, from, 1300, limit, part),
          days.filter(number => number >= from),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('an exchange that gives the newest and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(traded, limits, async (days, limit) => {
        const { fetchPage } = exchange(days, limit, { page: 'newest', since: 'included', honoursUntil: false });
        assert.deepEqual(await closes(fetchPage, 1000, 1300, limit), days.slice(-limit));
      }),
      { numRuns: 150 },
    );
  });
});

it('a pull that is stopped after any part, and repeated from its newest candle, has every candle', async () => {
  await fc.assert(
    fc.asyncProperty(traded, limits, limits, fc.integer({ min: 1, max: 5 }), async (days, limit, part, stopAfter) => {
      for (const page of ['oldest', 'window', 'newest'] as const) {
        const { fetchPage } = exchange(days, limit, { page, since: 'included', honoursUntil: true });
        const stored = new Map<number, number>();
        const parts = candleParts(fetchPage, { interval: '1d', from: 1000, current: 1300, limit, part });
        for (let i = 0; i < stopAfter; i++) {
          const { value, done } = await parts.next();
          if (done) break;
          for (const { period, close } of value) stored.set(period, close);
        }
        const from = Math.max(1000, ...stored.keys());
        const { candles } = await pull(fetchPage, { from, current: 1300, limit, part });
        for (const { period, close } of candles) stored.set(period, close);
        assert.deepEqual(
          [...stored.keys()].toSorted((a, b) => a - b),
          days,
        );
      }
    }),
    { numRuns: 150 },
  );
});

it('a daily repeat costs one request', async () => {
  const days = Array.from({ length: 500 }, (_, index) => 1000 + index);
  const { fetchPage, requests } = exchange(days, 300, { page: 'oldest', since: 'included', honoursUntil: true });
  assert.deepEqual(await closes(fetchPage, 1498, 1499, 300), [1498, 1499]);
  assert.equal(requests(), 1);
});

describe('what is not a candle of a UTC day is told and left out', () => {
  for (const [kind, odd] of [
    ['off_grid', [1001 * DAY + 57_600_000, 1, 1, 1, 1, 1]],
    ['no_time', [undefined, 1, 1, 1, 1, 1]],
    ['no_time', [Number.NaN, 1, 1, 1, 1, 1]],
    ['no_close', [1001 * DAY, 1, 1, 1, undefined, 1]],
  ] as const) {
    it(`${kind}: ${odd.join(', ')}`, async () => {
      const fetchPage: FetchPage = async () => [raw(1000), odd, raw(1002)];
      const found = await pull(fetchPage, { from: 1000, current: 1002, limit: 10 });
      assert.deepEqual(
        found.candles.map(({ close }) => close),
        [1000, 1002],
      );
      assert.deepEqual(found.odd, [{ kind, count: 1, example: odd }]);
    });
  }
});

it('a number that is missing is unknown', async () => {
  const fetchPage: FetchPage = async () => [[1000 * DAY, undefined, undefined, undefined, 5, undefined]];
  const { candles } = await pull(fetchPage, { from: 1000, current: 1000, limit: 10 });
  const unknown = Number.NaN;
  assert.deepEqual(candles, [{ period: 1000, open: unknown, high: unknown, low: unknown, close: 5, volume: unknown }]);
});

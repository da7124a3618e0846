import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  BASE_INTERVALS,
  coarserPeriod,
  INTERVALS,
  lastPeriodOfTime,
  parseTime,
  periodOfMillis,
  periodsPerYear,
  startOfPeriod,
  timestampOfPeriod,
} from './interval.ts';

/** Up to the last minute that a store has room for. */
const instants = fc.integer({ min: 0, max: 2 ** 27 * 60_000 - 1 });

describe('a period', () => {
  for (const interval of INTERVALS) {
    it(`of ${interval} has the instants from its start to the start of the next`, () => {
      fc.assert(
        fc.property(instants, millis => {
          const period = periodOfMillis(interval, millis)!;
          assert.ok(startOfPeriod(interval, period) <= millis);
          assert.ok(millis < startOfPeriod(interval, period + 1));
        }),
      );
    });
  }

  it('starts on Monday for weeks, on the first for months, and at 0:00 UTC for the others of a day', () => {
    for (const [interval, text, start] of [
      ['1w', '2026-11-18', '2026-11-16T00:00:00.000Z'],
      ['1w', '2026-11-16', '2026-11-16T00:00:00.000Z'],
      ['1w', '2026-11-15T23:59', '2026-11-09T00:00:00.000Z'],
      ['1w', '1970-01-01', '1969-12-29T00:00:00.000Z'],
      ['1mo', '2024-02-29', '2024-02-01T00:00:00.000Z'],
      ['1d', '2026-11-18T23:59:59.999Z', '2026-11-18T00:00:00.000Z'],
      ['12h', '2026-11-18T13:00', '2026-11-18T12:00:00.000Z'],
      ['4h', '2026-11-18T13:00', '2026-11-18T12:00:00.000Z'],
      ['15m', '2026-11-18T13:44:59', '2026-11-18T13:30:00.000Z'],
      ['1m', '2026-11-18T13:44:59', '2026-11-18T13:44:00.000Z'],
    ] as const) {
      assert.equal(timestampOfPeriod(interval, periodOfMillis(interval, parseTime(text)!.millis)!), start);
    }
  });

  it('is null outside the calendar', () => {
    for (const millis of [-1, 2 ** 27 * 60_000, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.equal(periodOfMillis('1m', millis), null);
    }
  });

  for (const fine of BASE_INTERVALS) {
    for (const coarse of INTERVALS.slice(INTERVALS.indexOf(fine))) {
      it(`of ${fine} lies in the period of ${coarse} that its start lies in`, () => {
        const coarser = coarserPeriod(fine, coarse);
        fc.assert(
          fc.property(instants, millis => {
            const period = periodOfMillis(fine, millis)!;
            assert.equal(coarser(period), periodOfMillis(coarse, startOfPeriod(fine, period)));
          }),
        );
      });
    }
  }

  it('is not made of longer ones', () => {
    assert.throws(() => coarserPeriod('1d', '1h'), RangeError);
  });

  it('occurs so often in a year', () => {
    assert.deepEqual(
      (['1m', '1h', '4h', '1d', '1w'] as const).map(interval => periodsPerYear(interval)),
      [525_600, 8760, 2190, 365, 365 / 7],
    );
  });
});

describe('a written time', () => {
  for (const [text, millis, isDay] of [
    ['2026-11-18', Date.UTC(2026, 10, 18), true],
    ['2026-11-18T14:00Z', Date.UTC(2026, 10, 18, 14), false],
    ['2026-11-18 14:05', Date.UTC(2026, 10, 18, 14, 5), false],
    ['2026-11-18t14:05:06z', Date.UTC(2026, 10, 18, 14, 5, 6), false],
    ['2026-11-18T14:05:06.7Z', Date.UTC(2026, 10, 18, 14, 5, 6, 700), false],
    ['2026-11-18T14:05:06.123456789', Date.UTC(2026, 10, 18, 14, 5, 6, 123), false],
    ['2026-11-18T14:05+00:00', Date.UTC(2026, 10, 18, 14, 5), false],
  ] as const) {
    it(`may be ${text}`, () => assert.deepEqual(parseTime(text), { millis, isDay }));
  }

  for (const text of [
    '',
    '2026',
    '2026-02-29',
    '2026-11-18T24:00',
    '2026-11-18T14',
    '2026-11-18T14:60',
    '2026-11-18T14:00+02:00',
    'yesterday',
    '2026-11-18T14:00:00.',
    '18.11.2026',
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(parseTime(text), null));
  }

  it('without a time of day means the last period of the day', () => {
    const last = (interval: '1h' | '1d' | '1w', text: string) =>
      timestampOfPeriod(interval, lastPeriodOfTime(interval, parseTime(text)!)!);
    assert.equal(last('1h', '2026-11-18'), '2026-11-18T23:00:00.000Z');
    assert.equal(last('1h', '2026-11-18T14:59'), '2026-11-18T14:00:00.000Z');
    assert.equal(last('1d', '2026-11-18'), '2026-11-18T00:00:00.000Z');
    assert.equal(last('1w', '2026-11-18'), '2026-11-16T00:00:00.000Z');
  });
});

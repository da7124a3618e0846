import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inPeriods, intervalOf, labelIn, shortPeriods } from './interval.ts';

describe('an interval in an address', () => {
  for (const [text, interval] of [
    ['1h', '1h'],
    ['1mo', '1mo'],
    ['2h', '1d'],
    ['', '1d'],
    [null, '1d'],
  ] as const) {
    it(`${text} is ${interval}`, () => assert.equal(intervalOf(text), interval));
  }
});

describe('a number of periods', () => {
  for (const [interval, short] of [
    ['1m', '7m'],
    ['15m', '7×15m'],
    ['1h', '7h'],
    ['12h', '7×12h'],
    ['1d', '7d'],
    ['1w', '7w'],
    ['1mo', '7mo'],
  ] as const) {
    it(`of ${interval} is ${short}`, () => assert.equal(shortPeriods(interval, 7), short));
  }
});

describe('the words of days', () => {
  for (const [label, interval, wanted] of [
    ['Change 7d', '1d', 'Change 7d'],
    ['Change 7d', '1h', 'Change 7h'],
    ['From high 365d', '4h', 'From high 365×4h'],
    ['SMA 50', '1h', 'SMA 50'],
    ['Day', '1m', 'Time'],
    ['Day', '1w', 'Period'],
    ['Days of history', '1h', 'Periods of history'],
  ] as const) {
    it(`${label} is ${wanted} for ${interval}`, () => assert.equal(labelIn(label, interval), wanted));
  }

  it('are those of periods for another interval', () => {
    const text = 'On the latest day, the 50-day average of daily closes crossed that of 200 days';
    assert.equal(inPeriods(text, '1d'), text);
    assert.equal(
      inPeriods(text, '1h'),
      'On the latest period, the 50-period average of closes crossed that of 200 periods',
    );
  });
});

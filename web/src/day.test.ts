import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayOrNull, momentOf, momentOrNull, periodOfMoment, withDay, withInterval } from './day.ts';

describe('a day in an address', () => {
  for (const [text, day] of [
    ['2026-01-31', '2026-01-31'],
    ['2024-02-29', '2024-02-29'],
    ['2026-02-29', null],
    ['2026-1-31', null],
    ['2026-01-31T00:00Z', null],
    ['yesterday', null],
    [null, null],
  ] as const) {
    it(`${text} is ${day}`, () => assert.equal(dayOrNull(text), day));
  }

  for (const [address, day, wanted] of [
    ['/', '2026-01-31', '/?as_of=2026-01-31'],
    ['/?where=price%20%3E%201', '2026-01-31', '/?where=price%20%3E%201&as_of=2026-01-31'],
    ['/map?as_of=2025-12-31&area=equal', '2026-01-31', '/map?area=equal&as_of=2026-01-31'],
    ['/map?as_of=2025-12-31&area=equal', null, '/map?area=equal'],
    ['/asset/btc-bitcoin?as_of=2025-12-31', null, '/asset/btc-bitcoin'],
    ['/?interval=1h', '2026-01-31T14:00Z', '/?interval=1h&as_of=2026-01-31T14:00Z'],
  ] as const) {
    it(`${address} with ${day} is ${wanted}`, () => assert.equal(withDay(address, day), wanted));
  }
});

describe('a time in an address', () => {
  for (const [text, interval, moment] of [
    ['2026-01-31T14:00Z', '1h', '2026-01-31T14:00Z'],
    ['2026-01-31T14:05:59.999Z', '1m', '2026-01-31T14:05Z'],
    ['2026-01-31 14:05', '1m', '2026-01-31T14:05Z'],
    ['2026-01-31', '1h', '2026-01-31'],
    ['2026-01-31T14:00Z', '1d', '2026-01-31'],
    ['2026-01-31T24:00Z', '1h', null],
    ['2026-02-29T14:00Z', '1h', null],
    [null, '1h', null],
  ] as const) {
    it(`${text} is ${moment} for ${interval}`, () => assert.equal(momentOrNull(text, interval), moment));
  }

  for (const [moment, interval, start] of [
    ['2026-01-31', '1d', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31', '1h', '2026-01-31T23:00:00.000Z'],
    ['2026-01-31', '5m', '2026-01-31T23:55:00.000Z'],
    ['2026-01-31T14:35Z', '1h', '2026-01-31T14:00:00.000Z'],
    ['2026-01-31T14:35Z', '4h', '2026-01-31T12:00:00.000Z'],
  ] as const) {
    it(`${moment} names the period of ${interval} from ${start}`, () =>
      assert.equal(new Date(periodOfMoment(moment, interval)).toISOString(), start));
  }

  it('is written as the API takes it', () => {
    const millis = Date.parse('2026-01-31T14:35:00Z');
    assert.deepEqual([momentOf(millis, '1m'), momentOf(millis, '1d')], ['2026-01-31T14:35Z', '2026-01-31']);
  });

  for (const [address, interval, wanted] of [
    ['/', '1h', '/?interval=1h'],
    ['/?interval=1h&where=x', '1d', '/?where=x'],
    ['/map?interval=1h&as_of=2026-01-31T14:00Z', '4h', '/map?as_of=2026-01-31T14:00Z&interval=4h'],
    ['/map?interval=1h&as_of=2026-01-31T14:00Z', '1d', '/map?as_of=2026-01-31'],
  ] as const) {
    it(`${address} with ${interval} is ${wanted}`, () => assert.equal(withInterval(address, interval), wanted));
  }
});

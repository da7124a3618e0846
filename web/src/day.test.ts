import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayOrNull, withDay } from './day.ts';

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
  ] as const) {
    it(`${address} with ${day} is ${wanted}`, () => assert.equal(withDay(address, day), wanted));
  }
});

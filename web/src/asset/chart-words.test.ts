import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describePeriod, readingsOf } from './chart-words.ts';
import type { HistoryPoint } from './history.ts';

const point = (day: string, price: number): HistoryPoint => ({
  day,
  price,
  averages: new Map([[50, 12.5]]),
  bands: { lower: 10, upper: 15 },
});

describe('the chart in words', () => {
  it('say how the price went, and where it was lowest and highest', () => {
    const points = [point('2026-06-28', 10), point('2026-06-29', 16), point('2026-06-30', 12)];
    assert.equal(
      describePeriod(points),
      '2026-06-28 to 2026-06-30: from 10.000 to 12.000 USD (+20.00%). ' +
        'Lowest 10.000 on 2026-06-28, highest 16.000 on 2026-06-29.',
    );
  });

  it('make no period of one day, and nothing of none', () => {
    assert.equal(describePeriod([point('2026-06-30', 12)]), '2026-06-30: one close so far, at 12.000 USD.');
    assert.equal(describePeriod([]), '');
  });

  it('read only what is drawn', () => {
    const at = point('2026-06-30', 12);
    const price = { label: 'price', text: '12.000' };
    assert.deepEqual(readingsOf(at, [], false), [price]);
    assert.deepEqual(readingsOf(at, [50, 200], true), [
      price,
      { label: 'sma50', text: '12.500', window: 50 },
      { label: 'bands', text: '10.000 … 15.000' },
    ]);
  });
});

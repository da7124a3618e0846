import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnsFor, pictureOf } from './chart-plots.ts';
import { type ChartState, DEFAULT_STATE } from './chart-state.ts';
import { describePeriod, readingsOf } from './chart-words.ts';
import type { HistoryPoint } from './history.ts';

const VALUES = {
  open: 11,
  high: 13,
  low: 9,
  volume: 245_590,
  sma50: 12.5,
  bb20_lower: 10,
  bb20_upper: 15,
  rsi14: 26.16,
};

const seconds = (time: string) => Date.parse(time) / 1000;

const point = (time: string, price: number): HistoryPoint => ({
  start: seconds(time),
  lastStart: seconds(time),
  price,
  values: new Map(Object.entries(VALUES)),
});

describe('the chart in words', () => {
  it('say how the price went, and where it was lowest and highest', () => {
    const points = [point('2026-06-28', 10), point('2026-06-29', 16), point('2026-06-30', 12)];
    assert.equal(
      describePeriod(points, '1d'),
      '2026-06-28 to 2026-06-30: from 10.000 to 12.000 USD (+20.00%). ' +
        'Lowest 10.000 on 2026-06-28, highest 16.000 on 2026-06-29.',
    );
  });

  it('name times where periods are shorter than a day', () => {
    const points = [point('2026-06-28T10:00Z', 10), point('2026-06-28T11:00Z', 12)];
    assert.equal(
      describePeriod(points, '1h'),
      '2026-06-28 10:00 to 2026-06-28 11:00 UTC: from 10.000 to 12.000 USD (+20.00%). ' +
        'Lowest 10.000 at 2026-06-28 10:00, highest 12.000 at 2026-06-28 11:00.',
    );
  });

  it('name the days of the closes, not those on which months begin', () => {
    const month = (day: string, last: string, price: number) => ({ ...point(day, price), lastStart: seconds(last) });
    assert.equal(
      describePeriod([month('2026-05-01', '2026-06-28', 10), month('2026-06-01', '2026-06-30', 12)], '1mo'),
      '2026-06-28 to 2026-06-30: from 10.000 to 12.000 USD (+20.00%). ' +
        'Lowest 10.000 on 2026-06-28, highest 12.000 on 2026-06-30.',
    );
  });

  it('make no period of one day, and nothing of none', () => {
    assert.equal(describePeriod([point('2026-06-30', 12)], '1d'), '2026-06-30: one close so far, at 12.000 USD.');
    assert.equal(describePeriod([], '1d'), '');
  });

  const read = (changes: Partial<ChartState>) =>
    readingsOf(point('2026-06-30', 12), pictureOf({ ...DEFAULT_STATE, ...changes }, []).plots).map(
      ({ label, text }) => `${label} ${text}`,
    );

  it('read the bar and only what is drawn', () => {
    const bar = ['Open 11.000', 'High 13.000', 'Low 9.0000', 'Close 12.000'];
    assert.deepEqual(read({ volume: false }), [...bar, 'SMA 50 12.500']);
    assert.deepEqual(read({ style: 'line', sma: [], bands: true, rsi: true }), [
      'Price 12.000',
      'Bollinger 10.000 … 15.000',
      'Volume 245.6 K',
      'RSI 14 26.16',
    ]);
  });

  it('ask for the columns that are drawn, and for the bar', () => {
    const bar = ['datetimeUTC', 'price', 'open', 'high', 'low', 'volume'];
    assert.deepEqual(columnsFor({ ...DEFAULT_STATE, style: 'drawdown' }), [...bar, 'from_ath']);
    assert.deepEqual(columnsFor({ ...DEFAULT_STATE, sma: [], ema: [20], bands: true, macd: true }), [
      ...bar,
      ...['bb20_upper', 'ema20', 'macd_hist', 'macd', 'macd_signal', 'bb20_lower'],
    ]);
  });
});

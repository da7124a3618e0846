import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ChartState,
  chartSearch,
  DEFAULT_STATE,
  parseChartState,
  rangeStart,
  rangesOf,
  toggleAverage,
} from './chart-state.ts';

describe('the state of the chart in the address', () => {
  const addresses: readonly [string, Partial<ChartState>][] = [
    ['', {}],
    ['?range=all', { range: 'all' }],
    ['?range=1m&log=1', { range: '1m', log: true }],
    ['?sma=5,20,365', { sma: [5, 20, 365] }],
    ['?sma=&ema=12,26', { sma: [], ema: [12, 26] }],
    ['?volume=0', { volume: false }],
    ['?style=line&interval=1mo&rsi=1&macd=1', { style: 'line', interval: '1mo', rsi: true, macd: true }],
    ['?range=3y&style=drawdown&vs=a-b,c-d', { range: '3y', style: 'drawdown', vs: ['a-b', 'c-d'] }],
    ['?range=3y&sma=200&bands=1&log=1', { range: '3y', sma: [200], bands: true, log: true }],
    ['?interval=1w', { interval: '1w' }],
    ['?interval=1h', { interval: '1h', range: '1m' }],
    ['?range=1d&interval=1m', { interval: '1m', range: '1d' }],
  ];
  for (const [search, changes] of addresses) {
    it(`reads ${search || 'nothing'} and writes the same`, () => {
      const state = { ...DEFAULT_STATE, ...changes };
      assert.deepEqual(parseChartState(search), state);
      assert.equal(chartSearch(state), search);
    });
  }

  it('takes what it does not know for the default', () => {
    const search = '?range=2w&log=yes&bands=&style=bars&interval=2h&utm=1';
    assert.deepEqual(parseChartState(search), DEFAULT_STATE);
    assert.deepEqual(parseChartState('?sma=50,x,-3,50,7').sma, [7, 50]);
  });

  it('takes a range that an interval does not have for its usual one', () => {
    assert.equal(parseChartState('?range=3y&interval=1m').range, '6h');
    assert.equal(parseChartState('?range=6h').range, '1y');
  });

  it('compares with at most four assets, each once', () => {
    assert.deepEqual(parseChartState('?vs=A,a,b,c,d,e').vs, ['a', 'b', 'c', 'd']);
  });

  it('adds an average in its place and takes it away again', () => {
    const added = toggleAverage(DEFAULT_STATE, 'sma', 100);
    assert.deepEqual(added.sma, [50, 100, 200]);
    assert.deepEqual(toggleAverage(added, 'sma', 100), DEFAULT_STATE);
  });
});

const seconds = (time: string) => Date.parse(time) / 1000;

describe('the first day of a range', () => {
  const cases = [
    ['1m', '2026-06-30', '2026-05-30'],
    ['1m', '2026-03-31', '2026-02-28'],
    ['1m', '2024-03-31', '2024-02-29'],
    ['3m', '2026-01-15', '2025-10-15'],
    ['6m', '2026-08-31', '2026-02-28'],
    ['1y', '2024-02-29', '2023-02-28'],
    ['3y', '2026-06-30', '2023-06-30'],
    ['all', '2026-06-30', null],
  ] as const;
  for (const [range, last, first] of cases) {
    it(`${range} to ${last} begins on ${first ?? 'the first there is'}`, () =>
      assert.equal(rangeStart(range, seconds(last)), first && seconds(first)));
  }

  it('has the time of day of its end', () => {
    assert.equal(rangeStart('1m', seconds('2026-03-31T14:00Z')), seconds('2026-02-28T14:00Z'));
    assert.equal(rangeStart('6h', seconds('2026-03-31T03:30Z')), seconds('2026-03-30T21:30Z'));
  });
});

describe('the ranges of an interval', () => {
  for (const [interval, ranges] of [
    ['1m', '6h 1d 1w all'],
    ['1h', '1d 1w 1m 3m 6m 1y all'],
    ['1d', '1m 3m 6m 1y 3y all'],
    ['1mo', '1m 3m 6m 1y 3y all'],
  ] as const) {
    it(`of ${interval} are ${ranges}`, () => {
      const ids = rangesOf(interval).map(({ id }) => id);
      assert.equal(ids.join(' '), ranges);
    });
  }
});

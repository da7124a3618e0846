import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ChartState,
  chartSearch,
  DEFAULT_STATE,
  parseChartState,
  rangeStart,
  toggleAverage,
} from './chart-state.ts';

describe('the state of the chart in the address', () => {
  const addresses: readonly [string, Partial<ChartState>][] = [
    ['', {}],
    ['?range=all', { range: 'all' }],
    ['?range=1m&log=1', { range: '1m', log: true }],
    ['?sma=5,20,365', { averages: [5, 20, 365] }],
    ['?sma=', { averages: [] }],
    ['?bands=0', { bands: false }],
    ['?range=3y&sma=200&bands=0&log=1', { range: '3y', averages: [200], bands: false, log: true }],
  ];
  for (const [search, changes] of addresses) {
    it(`reads ${search || 'nothing'} and writes the same`, () => {
      const state = { ...DEFAULT_STATE, ...changes };
      assert.deepEqual(parseChartState(search), state);
      assert.equal(chartSearch(state), search);
    });
  }

  it('takes what it does not know for the default', () => {
    assert.deepEqual(parseChartState('?range=2w&log=yes&bands=&utm=1'), DEFAULT_STATE);
    assert.deepEqual(parseChartState('?sma=50,x,-3,50,7').averages, [7, 50]);
  });

  it('adds an average in its place and takes it away again', () => {
    const added = toggleAverage(DEFAULT_STATE, 100);
    assert.deepEqual(added.averages, [50, 100, 200]);
    assert.deepEqual(toggleAverage(added, 100), DEFAULT_STATE);
  });
});

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
      assert.equal(rangeStart(range, last), first));
  }
});

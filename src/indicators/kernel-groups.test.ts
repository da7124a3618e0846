import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixedSeries, SERIES_KINDS } from '../../test/support/oracle/series.ts';
import { finish } from '../common/steps.ts';
import { OPTIONAL_COMPUTED } from '../domain/catalogue.ts';
import { allTimeHigh, atr, bollinger, ema, macd, rsi } from '../domain/indicators.ts';
import { dailySeries, NO_BARS } from './calendar.ts';
import { Series } from './kernel.ts';
import { KernelGroups } from './kernel-groups.ts';

const DAYS = 2100;
const closes = fixedSeries(SERIES_KINDS['a random walk']!, DAYS, 1);
const days = closes.map((_, i) => 19_000 + i);
const bars = { ...NO_BARS, ...dailySeries(days, closes) };

describe('the columns of one kernel', () => {
  it('have a state of as many numbers as their lengths need, however many columns share one', () => {
    assert.equal(new KernelGroups(macd()).stateSize, 6);
    assert.equal(new KernelGroups([macd()[2]!]).stateSize, 6);
    assert.equal(new KernelGroups([ema(9), ema(400), ema(2)]).stateSize, 3);
    assert.equal(new KernelGroups(bollinger(20)).stateSize, 0);
  });

  it('are the same in any order, and without the others', () => {
    const all = [...bollinger(20), ...bollinger(55)];
    const valuesOf = (columns: typeof all) => {
      const groups = new KernelGroups(columns);
      const table = groups.table(1);
      groups.into(table).write(new Series().set(bars, null), DAYS - 1, 0);
      return new Map(columns.map(({ name }, i) => [name, table[i]![0]!]));
    };
    const expected = valuesOf(all);
    assert.ok([...expected.values()].every(Number.isFinite));
    assert.deepEqual(new Map([...valuesOf(all.toReversed())].reverse()), expected);
    for (const column of all) assert.equal(valuesOf([column]).get(column.name), expected.get(column.name));
  });
});

describe('all days', () => {
  it('have the same bits at once and in steps', () => {
    const groups = new KernelGroups(OPTIONAL_COMPUTED);
    const [once, inSteps] = [groups.table(DAYS), groups.table(DAYS)];
    groups.into(once).write(new Series(groups.stateSize).set(bars, null), 0, 0);
    finish(groups.into(inSteps).writeInSteps(new Series(groups.stateSize).set(bars, null)));
    for (const [i, { name }] of OPTIONAL_COMPUTED.entries()) assert.deepEqual(inSteps[i], once[i], name);
  });
});

describe('the state', () => {
  it('has the order in which stores have it: another order needs another revision in publish/columns.ts', () => {
    const groups = new KernelGroups([...allTimeHigh(), atr(14), rsi(7), ...macd(), ema(20), ema(9)]);
    const series = new Series(groups.stateSize).set({ ...bars, closes: new Float64Array(300).fill(7) }, null);
    series.highs = series.closes.map(close => close + 1);
    series.lows = series.closes.map(close => close - 1);
    groups.into(groups.table(1)).stepToDayBefore(series);
    // Two averages, the shorter first; the three of MACD with their rests; gains and losses; the highest close and its day; ATR and its days.
    const expected = [7, 7, 7, 0, 7, 0, 0, 0, 0, 0, 7, 0, 2, 298];
    assert.deepEqual(
      Array.from(series.state, value => Number(value.toFixed(9))),
      expected,
    );
  });
});

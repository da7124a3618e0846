import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Bars, barsAround, columnsOf, thinned, withoutSome } from '../../test/support/oracle/bars.ts';
import { relativeError } from '../../test/support/oracle/exact.ts';
import { exactOptional } from '../../test/support/oracle/optional.ts';
import { fixedSeries, SERIES_KINDS, uniform } from '../../test/support/oracle/series.ts';
import { OPTIONAL_COMPUTED } from '../domain/catalogue.ts';
import type { Day } from '../domain/day.ts';
import { rowNeeds } from '../domain/row-needs.ts';
import { type DailyBars, dailyBars } from './calendar.ts';
import type { ColumnTable } from './kernel-groups.ts';
import { optionalColumns } from './optional.ts';
import { benchmarkOf } from './return-series.ts';

const TOLERANCE = 1e-12;
const COMPUTED_NAMES = OPTIONAL_COMPUTED.map(({ name }) => name);

function valuesOf(table: ColumnTable, name: string): Float64Array {
  return table[COMPUTED_NAMES.indexOf(name)] ?? assert.fail(name);
}

function barsOf(kind: string, length: number, seed: number): Bars {
  return barsAround(fixedSeries(SERIES_KINDS[kind]!, length, seed), uniform(seed + 1));
}

const BENCHMARK = barsOf('a random walk', 500, 77);

function dense(bars: Bars): DailyBars {
  return dailyBars(columnsOf(bars));
}

function upTo(bars: DailyBars, days: number): DailyBars {
  return part(bars, 0, days);
}

function part(bars: DailyBars, from: number, to: number): DailyBars {
  const { firstDay, closes, opens, highs, lows, volumes } = bars;
  const cut = (values: Float64Array) => values.slice(from, to);
  return {
    firstDay: (firstDay + from) as Day,
    closes: cut(closes),
    opens: cut(opens),
    highs: cut(highs),
    lows: cut(lows),
    volumes: cut(volumes),
  };
}

function barsUpTo(bars: Bars, day: number): Bars {
  const count = bars.day.filter(each => each <= day).length;
  const cut = <T>(values: readonly T[]) => values.slice(0, count);
  const carried = bars.day[count - 1] !== day;
  const { open, high, low, close, volume } = bars;
  // A day that is carried forward is the last one only if it is written down as what it is.
  const last = close[count - 1]!;
  const more = <T>(values: readonly T[], value: T) => (carried ? [...cut(values), value] : cut(values));
  return {
    day: more(bars.day, day),
    open: more(open, last),
    high: more(high, last),
    low: more(low, last),
    close: more(close, last),
    volume: more(volume, 0),
  };
}

function rowAt(table: ColumnTable, row: number): number[] {
  return table.map(values => values[row]!);
}

/** The row of the last day against exact arithmetic. */
function assertExact(bars: Bars, table: ColumnTable, row: number, names: readonly string[] = COMPUTED_NAMES): void {
  for (const name of names) {
    const exact = exactOptional(name, bars, BENCHMARK);
    const actual = valuesOf(table, name)[row]!;
    const where = `${name} = ${actual} after ${bars.close.length} bars`;
    if (exact === null) {
      assert.ok(Number.isNaN(actual), `${where} instead of null`);
      continue;
    }
    assert.ok(!Number.isNaN(actual), `${where}: it has a value`);
    const error = relativeError(actual, exact);
    assert.ok(error <= TOLERANCE, `${where} is off by ${error}`);
  }
}

describe('the optional columns equal exact arithmetic to 1e-12, and are null exactly where their definitions say, for', () => {
  for (const kind of Object.keys(SERIES_KINDS)) {
    it(kind, () => {
      const bars = barsOf(kind, 400, 5);
      const table = optionalColumns(dense(bars), benchmarkOf(dense(BENCHMARK)));
      for (const day of [0, 1, 6, 7, 8, 9, 12, 13, 14, 15, 18, 19, 20, 24, 25, 26, 32, 33, 34, 48, 49, 60]) {
        assertExact(barsUpTo(bars, bars.day[day]!), table, day);
      }
      // Logarithms take most of the time here, so that long windows get fewer days.
      for (const day of [89, 90, 199, 364, 365, 399]) assertExact(barsUpTo(bars, bars.day[day]!), table, day);
    });
  }
});

describe('recursions over thousands of days', () => {
  it('gather no error', () => {
    const bars = barsOf('a random walk', 4000, 6);
    const table = optionalColumns(dense(bars), null, 3999);
    assertExact(
      bars,
      table,
      0,
      COMPUTED_NAMES.filter(name => /ema|macd|rsi|atr/.test(name)),
    );
  });
});

describe('the optional columns of bars with gaps and missing numbers', () => {
  for (const seed of [1, 2, 3, 4]) {
    it(`equal exact arithmetic and are null where the definitions say, seed ${seed}`, () => {
      const random = uniform(seed);
      const whole = barsOf('a random walk', 150, seed);
      const thin = thinned(whole, () => random() < 0.8);
      const lacking = Math.floor(random() * 60);
      const bars = withoutSome(
        thin,
        i => i === lacking || i === 3,
        () => random() < 0.02,
      );
      const series = dense(bars);
      const table = optionalColumns(series, benchmarkOf(dense(BENCHMARK)));
      for (let day = 0; day < series.closes.length; day += 1 + Math.floor(random() * 4)) {
        assertExact(barsUpTo(bars, series.firstDay + day), table, day, COMPUTED_NAMES.filter(isShort));
      }
    });
  }

  it('begin with the first high and low where a source gave closes alone before', () => {
    const bars = withoutSome(
      barsOf('a random walk', 60, 9),
      i => i < 20,
      i => i < 10,
    );
    const table = optionalColumns(dense(bars), null);
    const firstOf = (name: string) => valuesOf(table, name).findIndex(value => !Number.isNaN(value));
    assert.deepEqual(
      ['high', 'stoch14', 'stoch14_d', 'atr14', 'turnover', 'turnover30', 'ema10'].map(firstOf),
      [20, 33, 35, 34, 10, 39, 9],
    );
  });
});

/** Without logarithms over long windows. */
function isShort(name: string): boolean {
  return !/sharpe|beta|corr|mdd/.test(name);
}

describe('a row', () => {
  it('never changes by the days that follow, bit for bit, whichever days are computed with it', () => {
    for (const [i, kind] of Object.keys(SERIES_KINDS).entries()) {
      const bars = dense(
        withoutSome(
          barsOf(kind, 410, i),
          at => at === 40 + i,
          at => at % 97 === 5,
        ),
      );
      const benchmark = benchmarkOf(dense(BENCHMARK));
      const table = optionalColumns(bars, benchmark);
      for (const day of [0, 5, 13, 14, 19, 26, 33, 34, 55, 56, 91, 200, 365, 366, 409]) {
        const cut = upTo(bars, day + 1);
        const last = optionalColumns(cut, benchmark, day);
        assert.deepEqual(rowAt(last, 0), rowAt(table, day), `${kind}, day ${day}`);
        const few = Math.max(0, day - 3);
        assert.deepEqual(
          rowAt(optionalColumns(cut, benchmark, few), day - few),
          rowAt(table, day),
          `${kind}, day ${day}`,
        );
      }
    }
  });

  it('has the same windows, bit for bit, whichever days before them are known', () => {
    const benchmark = benchmarkOf(dense(BENCHMARK));
    const kernels = ['bollinger', 'sharpe', 'beta', 'drawdown', 'extremes', 'stochastic', 'turnover'];
    const windows = OPTIONAL_COMPUTED.filter(({ kernel }) => kernels.includes(kernel));
    for (const [i, kind] of Object.keys(SERIES_KINDS).entries()) {
      const bars = dense(barsOf(kind, 410, i));
      const table = optionalColumns(bars, benchmark);
      for (const from of [1, 2, 7, 13]) {
        const later = optionalColumns(part(bars, from, 410), benchmark);
        for (const { name } of windows) {
          const values = valuesOf(later, name).subarray(370);
          assert.ok(
            !values.includes(Number.NaN) || kind.includes('equal') || kind.includes('flat'),
            `${name}, ${kind}`,
          );
          assert.deepEqual(values, valuesOf(table, name).subarray(370 + from), `${name}, ${kind}, from ${from}`);
        }
      }
    }
  });

  it('scales with the prices: columns in USD by the same factor, all others not at all', () => {
    const bars = dense(barsOf('a random walk', 400, 3));
    const table = optionalColumns(bars, benchmarkOf(dense(BENCHMARK)));
    fc.assert(
      fc.property(fc.integer({ min: -20, max: 20 }), exponent => {
        const factor = 2 ** exponent; // exact, so that not a bit may differ
        const scaled = (values: Float64Array) => values.map(value => value * factor);
        const { firstDay, closes, opens, highs, lows, volumes } = bars;
        const prices = { closes: scaled(closes), opens: scaled(opens), highs: scaled(highs), lows: scaled(lows) };
        const other = optionalColumns({ firstDay, volumes, ...prices }, benchmarkOf(dense(BENCHMARK)));
        for (const name of COMPUTED_NAMES) {
          const [own, values] = [valuesOf(other, name), valuesOf(table, name)];
          const { unit } = OPTIONAL_COMPUTED.find(column => column.name === name)!;
          assert.deepEqual(own, unit === 'USD' ? scaled(values) : values, name);
        }
      }),
      { numRuns: 8, seed: 1 },
    );
  });

  it('has no beta and no correlation without a benchmark, and exactly 1 against itself', () => {
    const bars = dense(barsOf('a wild random walk', 120, 3));
    const compared = (table: ColumnTable) => ['beta90', 'corr90'].map(name => valuesOf(table, name)[0]);
    const alone = optionalColumns(bars, null, 119);
    assert.deepEqual(compared(alone), [Number.NaN, Number.NaN]);
    const itself = optionalColumns(bars, benchmarkOf(bars), 119);
    assert.deepEqual(compared(itself), [1, 1]);
  });
});

describe('the catalogue of optional columns', () => {
  it('says how many closes a value needs: one less is null, as many are a value', () => {
    const { closes, seed } = rowNeeds(OPTIONAL_COMPUTED);
    const bars = dense(barsOf('a random walk', Math.max(closes, seed) + 34, 8));
    const table = optionalColumns(bars, benchmarkOf(bars));
    for (const column of OPTIONAL_COMPUTED) {
      if (!('minHistory' in column)) continue;
      const values = valuesOf(table, column.name);
      assert.equal(values.findIndex(value => !Number.isNaN(value)) + 1, column.minHistory, column.name);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { exactValue, relativeError } from '../../test/support/oracle/exact.ts';
import { fixedSeries, SERIES_KINDS, seriesOf } from '../../test/support/oracle/series.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import { CLOSES_PER_ROW } from '../domain/row-needs.ts';
import { dailySeries } from './calendar.ts';
import { type CloseBatch, currentRow, currentRows, dailyRows, indicatorTable } from './engine.ts';

const TOLERANCE = 1e-12;

/** Every column on the last day of `closes` against exact arithmetic. */
function assertExact(closes: readonly number[], values: ArrayLike<number>): void {
  INDICATORS.forEach((column, i) => {
    const exact = exactValue(column, closes);
    const actual = values[i]!;
    if (exact === null) {
      assert.ok(Number.isNaN(actual), `${column.name} of ${closes.length} closes is ${actual} instead of null`);
      return;
    }
    const error = relativeError(actual, exact);
    assert.ok(error <= TOLERANCE, `${column.name} = ${actual} is off by ${error} after ${closes.length} closes`);
  });
}

function dayOf(table: readonly Float64Array[], day: number): number[] {
  return table.map(column => column[day]!);
}

describe('the current row equals exact arithmetic to 1e-12 for', () => {
  for (const [kind, generate] of Object.entries(SERIES_KINDS)) {
    it(kind, () => {
      fc.assert(
        fc.property(seriesOf(generate, 60), closes => assertExact(closes, currentRow(Float64Array.from(closes)))),
        { numRuns: 12, seed: 1 },
      );
      const long = fixedSeries(generate, CLOSES_PER_ROW + 30, 7);
      assertExact(long, currentRow(Float64Array.from(long)));
    });
  }
});

describe('the row of each day is to the last bit the current row of the closes up to it, for', () => {
  for (const [kind, generate] of Object.entries(SERIES_KINDS)) {
    it(kind, () => {
      const closes = Float64Array.from(fixedSeries(generate, 2 * CLOSES_PER_ROW, 3));
      const table = dailyRows(closes);
      for (let day = 0; day < closes.length; day++) {
        assert.deepEqual(dayOf(table, day), [...currentRow(closes.subarray(0, day + 1))], `day ${day}`);
      }
    });
  }
});

describe('bars with gaps', () => {
  it('have the rows of the series with each gap filled by the close before it', () => {
    const bars = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 9 }), close: fc.double({ min: 1e-6, max: 1e6 }) }),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(bars, items => {
        let day = 20_000;
        const days = items.map(({ gap }) => (day += gap));
        const closes = items.map(item => item.close);
        // Carried forward here by asking, for each calendar day, which bar was the last one.
        const filled = Array.from({ length: day - days[0]! + 1 }, (_, i) => {
          const last = days.findLastIndex(known => known <= days[0]! + i);
          return closes[last]!;
        });
        const dense = dailySeries(days, closes).closes;
        assertExact(filled, currentRow(dense));
        const table = dailyRows(dense);
        for (const at of [0, filled.length >> 1, filled.length - 1]) {
          assertExact(filled.slice(0, at + 1), dayOf(table, at));
        }
      }),
      { numRuns: 25, seed: 5 },
    );
  });
});

describe('returns that are nearly alike', () => {
  // Where the plain way to the volatility loses digits, another one takes over: the bound must hold on both sides of that.
  const growing = (noise: number) => (length: number, random: () => number) => {
    const growth = 10 ** (-3 + 3 * random());
    let price = 1 + random();
    return Array.from({ length }, () => {
      price *= 1 + growth * (1 + noise * (random() - 0.5));
      return price;
    });
  };
  for (const noise of [1e-1, 1e-2, 3e-3, 1e-3, 5e-4, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6, 1e-8, 1e-12, 1e-15]) {
    it(`keep the bound when they differ by ${noise} of themselves`, () => {
      for (let seed = 0; seed < 60; seed++) {
        const closes = fixedSeries(growing(noise), 8, seed);
        assertExact(closes, currentRow(Float64Array.from(closes)));
      }
    });
  }
});

describe('a batch that is none', () => {
  const closes = Float64Array.of(1, 2, 3, 4);
  for (const [what, starts, only, rows, fault, position] of [
    ['a price of zero', [0, 2, 4], undefined, 2, 'bad_price', 3],
    ['an asset without closes', [0, 2, 2, 4], undefined, 3, 'empty_series', 2],
    ['a span past the end', [0, 2, 5], undefined, 2, 'bad_batch', 2],
    ['a span that goes back', [2, 0, 4], undefined, 2, 'bad_batch', 1],
    ['a row that no asset has', [0, 2, 4], [2], 2, 'bad_batch', 2],
    ['a table that is too small', [0, 2, 4], undefined, 1, 'bad_batch', 1],
  ] as const) {
    it(`is refused with its position: ${what}`, () => {
      const prices = what === 'a price of zero' ? Float64Array.of(1, 2, 3, 0) : closes;
      const batch = { closes: prices, starts: Uint32Array.from(starts) };
      const some = only === undefined ? undefined : Uint32Array.from(only);
      assert.throws(() => currentRows(batch, indicatorTable(rows), some), { name: 'SeriesError', fault, position });
    });
  }
});

describe('the rows of all days', () => {
  it('have no negative variance or volatility anywhere', () => {
    for (const generate of Object.values(SERIES_KINDS)) {
      const table = dailyRows(Float64Array.from(fixedSeries(generate, 3650, 9)));
      INDICATORS.forEach((column, i) => {
        if (column.kind === 'var' || column.kind === 'vol') {
          assert.ok(table[i]!.every(value => value >= 0));
        }
      });
    }
  });
});

describe('the windows of variances', () => {
  it('are short enough for the bound that arithmetic/spread.ts proves', () => {
    for (const { name, kind, window } of INDICATORS) {
      if (kind !== 'var' && kind !== 'vol') continue;
      assert.ok((3 * window + 3) * window * 2 ** -53 < TOLERANCE, `${name} needs a better way to sum`);
    }
  });
});

describe('a flat window', () => {
  const isFlat = (closes: readonly number[]) => closes.every(close => close === closes[0]);

  it('has exactly the close as its mean and 0 as change, variance and volatility', () => {
    let windows = 0;
    for (const price of [0.1, 1 / 3, 1.1e-9, 7e11]) {
      const moving = fixedSeries(SERIES_KINDS['a random walk']!, 400, 2);
      const closes = [...moving, ...new Array<number>(400).fill(price), ...moving];
      const table = dailyRows(Float64Array.from(closes));
      for (let day = 0; day < closes.length; day++) {
        const upToDay = closes.slice(0, day + 1);
        INDICATORS.forEach((column, i) => {
          const window = upToDay.slice(-column.minHistory);
          if (window.length < column.minHistory || !isFlat(window)) return;
          windows++;
          assert.equal(table[i]![day], column.kind === 'sma' ? price : 0, `${column.name} on day ${day}`);
        });
      }
      const row = currentRow(Float64Array.from(closes.slice(0, 800)));
      INDICATORS.forEach((column, i) => {
        assert.equal(row[i], column.kind === 'sma' ? price : 0);
      });
    }
    assert.ok(windows > 10_000);
  });
});

describe('many assets in one buffer', () => {
  const lengths = [1, 2, 3, 5, 6, 49, 50, 51, 365, 366, 367, 500];
  const series = lengths.map((length, i) => fixedSeries(Object.values(SERIES_KINDS)[i]!, length, i));
  const batchOf = (all: readonly (readonly number[])[]): CloseBatch => ({
    closes: Float64Array.from(all.flat()),
    starts: Uint32Array.from([0, ...all.map((_, i) => all.slice(0, i + 1).flat().length)]),
  });

  it('have the rows that each has alone', () => {
    const table = indicatorTable(series.length);
    currentRows(batchOf(series), table);
    series.forEach((closes, row) => {
      assert.deepEqual(dayOf(table, row), [...currentRow(Float64Array.from(closes))]);
    });
  });

  it('are recomputed one by one where only some changed, and the others are not touched', () => {
    const table = indicatorTable(series.length);
    currentRows(batchOf(series), table);
    const untouched = 12345;
    for (const column of table) column.fill(untouched);
    const changed = series.map((closes, i) => (i % 3 === 0 ? [...closes.slice(0, -1), closes.at(-1)! * 1.07] : closes));
    currentRows(batchOf(changed), table, Uint32Array.of(0, 3, 6, 9));
    changed.forEach((closes, row) => {
      const expected = row % 3 === 0 ? [...currentRow(Float64Array.from(closes))] : INDICATORS.map(() => untouched);
      assert.deepEqual(dayOf(table, row), expected);
    });
  });
});

describe('closes that are none', () => {
  for (const [name, closes, fault, position] of [
    ['no closes', [], 'empty_series', 0],
    ['zero', [1, 0, 2], 'bad_price', 1],
    ['a negative price', [1, 2, -3], 'bad_price', 2],
    ['NaN', [Number.NaN], 'bad_price', 0],
    ['infinity', [1, Number.POSITIVE_INFINITY], 'bad_price', 1],
    ['an absurd price', [1, 1e34], 'bad_price', 1],
    ['dust below any unit', [1e-34], 'bad_price', 0],
  ] as const) {
    it(`are refused with their position: ${name}`, () => {
      for (const compute of [currentRow, dailyRows]) {
        assert.throws(() => compute(Float64Array.from(closes)), { name: 'SeriesError', fault, position });
      }
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Plain, plainTable } from '../../test/support/market.ts';
import { exactValue, relativeError } from '../../test/support/oracle/exact.ts';
import { fixedSeries, SERIES_KINDS } from '../../test/support/oracle/series.ts';
import { barColumns } from '../domain/bar.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import { dayFromIso } from '../domain/day.ts';
import { historyTable } from './history-table.ts';

const FIRST_DAY = dayFromIso('2021-02-27')!;

function tableOf(days: readonly number[], closes: readonly number[]) {
  const bars = { ...barColumns(days.length), day: Int32Array.from(days), close: Float64Array.from(closes) };
  return historyTable('BTC', bars, null);
}

/** One row against exact arithmetic over the closes up to its day. */
function assertExact(row: Plain, closes: readonly number[]): void {
  assert.equal(row['price'], closes.at(-1));
  for (const column of INDICATORS) {
    const [exact, actual] = [exactValue(column, closes), row[column.name]];
    if (exact === null) assert.equal(actual, null, column.name);
    else assert.ok(relativeError(Number(actual), exact) <= 1e-12, `${column.name} = ${actual}`);
  }
}

describe('the history of an asset', () => {
  it('has a row for each calendar day, also for those without a close of their own', () => {
    const rows = plainTable(tableOf([FIRST_DAY, FIRST_DAY + 1, FIRST_DAY + 4], [10, 20, 5]));
    assert.deepEqual(
      rows.map(({ datetimeUTC, symbol, price, change1, sma5 }) => [datetimeUTC, symbol, price, change1, sma5]),
      [
        ['2021-02-27T00:00:00.000Z', 'BTC', 10, null, 10],
        ['2021-02-28T00:00:00.000Z', 'BTC', 20, 100, 15],
        ['2021-03-01T00:00:00.000Z', 'BTC', 20, 0, 50 / 3],
        ['2021-03-02T00:00:00.000Z', 'BTC', 20, 0, 17.5],
        ['2021-03-03T00:00:00.000Z', 'BTC', 5, -75, 15],
      ],
    );
  });

  it('counts the closes that each row has', () => {
    assert.deepEqual([...tableOf([FIRST_DAY, FIRST_DAY + 2], [1, 2]).history], [1, 2, 3]);
  });

  it('has its ticker in every row, and no other', () => {
    const { symbols } = tableOf([FIRST_DAY, FIRST_DAY + 1], [1, 2]);
    assert.deepEqual([...symbols.rowsOf(['ETH', 'BTC'])], [0, 1]);
    assert.deepEqual([...symbols.rowsOf(['ETH'])], []);
  });

  it('has no rows without closes', () => {
    const table = tableOf([], []);
    assert.equal(table.rows, 0);
    assert.equal(table.order(0)!.length, 0);
    assert.equal(table.order(2)!.length, 0);
  });

  it('is sorted by any column, ties by day', () => {
    const table = tableOf([0, 1, 2, 3], [5, 7, 5, 6]);
    assert.deepEqual([...table.order(0)!], [0, 1, 2, 3]);
    assert.deepEqual([...table.order(1)!], [0, 1, 2, 3]);
    assert.deepEqual([...table.order(2)!], [0, 2, 3, 1]);
  });

  it('equals exact arithmetic on every day of random bars with gaps', () => {
    const bars = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 6 }), close: fc.double({ min: 1e-9, max: 1e9, noNaN: true }) }),
      { minLength: 1, maxLength: 15 },
    );
    fc.assert(
      fc.property(bars, items => {
        let day = FIRST_DAY - 1;
        const days = items.map(({ gap }) => (day += gap));
        const rows = plainTable(
          tableOf(
            days,
            items.map(({ close }) => close),
          ),
        );
        // Carried forward here by asking, for each calendar day, which bar was the last one.
        const filled = rows.map((_, at) => items[days.findLastIndex(known => known <= days[0]! + at)]!.close);
        assert.equal(rows.length, day - days[0]! + 1);
        for (const [at, row] of rows.entries()) assertExact(row, filled.slice(0, at + 1));
      }),
      { numRuns: 10, seed: 6 },
    );
  });

  for (const [kind, generate] of Object.entries(SERIES_KINDS)) {
    it(`equals exact arithmetic on days of a long series: ${kind}`, () => {
      const closes = fixedSeries(generate, 800, 8);
      const rows = plainTable(
        tableOf(
          closes.map((_, i) => FIRST_DAY + i),
          closes,
        ),
      );
      for (const at of [0, 50, 365, 799]) assertExact(rows[at]!, closes.slice(0, at + 1));
    });
  }
});

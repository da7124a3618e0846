import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainTable, uniform } from '../../test/support/market.ts';
import { type Bars, barsAround, columnsOf, thinned, withoutSome } from '../../test/support/oracle/bars.ts';
import { dayFromIso } from '../domain/day.ts';
import { barsTable } from './bars-table.ts';
import { coarserBars } from './coarser-bars.ts';

const day = (text: string) => dayFromIso(text)!;

/** The calendar by the runtime's own dates, apart from the arithmetic under test. */
const PERIOD = {
  '1d': (date: Date) => date.toISOString().slice(0, 10),
  '1w': (date: Date) => {
    const monday = new Date(date);
    while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() - 1);
    return monday.toISOString().slice(0, 10);
  },
  '1mo': (date: Date) => `${date.toISOString().slice(0, 7)}-01`,
};

const figure = (values: readonly (number | null)[], of: (known: readonly number[]) => number) =>
  values.includes(null) ? null : of(values.filter(value => value !== null));

function expectedRows({ day: days, open, high, low, close, volume }: Bars, interval: keyof typeof PERIOD) {
  const periods = Map.groupBy(days.keys(), i => PERIOD[interval](new Date(days[i]! * 86_400_000)));
  return [...periods].map(([start, members]) => ({
    datetimeUTC: `${start}T00:00:00.000Z`,
    open: open[members[0]!],
    high: figure(
      members.map(i => high[i]!),
      known => Math.max(...known),
    ),
    low: figure(
      members.map(i => low[i]!),
      known => Math.min(...known),
    ),
    close: close[members.at(-1)!],
    volume: figure(
      members.map(i => volume[i]!),
      known => known.reduce((sum, value) => sum + value, 0),
    ),
  }));
}

describe('the bars of an asset', () => {
  for (const interval of ['1d', '1w', '1mo'] as const) {
    it(`are those that plain arithmetic makes, by ${interval}`, () => {
      const random = uniform(7);
      const closes = Array.from({ length: 900 }, () => 1 + random());
      const complete = barsAround(closes, random, day('2023-11-17'));
      const gappy = thinned(complete, () => random() < 0.8);
      const some = withoutSome(
        gappy,
        i => i > 300 && random() < 0.02,
        i => i > 300 && random() < 0.02,
      );
      for (const bars of [complete, gappy, some, thinned(complete, () => false)]) {
        assert.deepEqual(
          plainTable(barsTable(coarserBars(columnsOf(bars), interval), interval)),
          expectedRows(bars, interval),
        );
      }
    });
  }

  it('begin on Monday and on the first of the month, around the turn of a year and a leap day', () => {
    const days = ['1970-01-05', '1970-01-11', '2023-12-31', '2024-01-01', '2024-02-29', '2024-03-01'].map(day);
    const bars = columnsOf(barsAround([1, 2, 3, 4, 5, 6], uniform(1)));
    bars.day.set(days);
    const starts = (interval: '1w' | '1mo') =>
      plainTable(barsTable(coarserBars(bars, interval), interval)).map(row => String(row['datetimeUTC']).slice(0, 10));
    assert.deepEqual(starts('1w'), ['1970-01-05', '2023-12-25', '2024-01-01', '2024-02-26']);
    assert.deepEqual(starts('1mo'), ['1970-01-01', '2023-12-01', '2024-01-01', '2024-02-01', '2024-03-01']);
  });

  it('have orders of every column', () => {
    const bars = barsAround([3, 1, 2], uniform(2), day('2024-01-01'));
    const table = barsTable(columnsOf(bars), '1d');
    assert.deepEqual([...table.order(0)!], [0, 1, 2]);
    assert.deepEqual([...table.order(4)!], [1, 2, 0]);
  });

  it('are none without prices', () => {
    assert.equal(barsTable(columnsOf(barsAround([], uniform(1))), '1mo').rows, 0);
  });
});

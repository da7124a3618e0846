import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chartColumns, dayCount, type HistoryRow, historyPoints } from './history.ts';
import { type LoadedHistory, NOTHING_LOADED, turnPages, withNewest } from './history-loader.ts';

const row = (day: string, price: number, more: HistoryRow = {}): HistoryRow => ({
  datetimeUTC: `${day}T00:00:00.000Z`,
  price,
  ...more,
});

describe('the points of the chart', () => {
  it('are in the order of days, each day once, however the pages overlap', () => {
    const rows = [row('2026-06-30', 3), row('2026-06-29', 2), row('2026-06-29', 2), row('2026-06-28', 1)];
    const points = historyPoints(rows).map(({ day, price }) => [day, price]);
    assert.deepEqual(points, [
      ['2026-06-28', 1],
      ['2026-06-29', 2],
      ['2026-06-30', 3],
    ]);
  });

  it('have the bands two standard deviations from the average of 20 closes', () => {
    const [point] = historyPoints([row('2026-06-30', 10, { sma20: 9, sma50: 8, var20: 0.25 })]);
    assert.deepEqual(point?.bands, { lower: 8, upper: 10 });
    assert.deepEqual(
      [...point!.averages],
      [
        [20, 9],
        [50, 8],
      ],
    );
  });

  it('have no bands where a column for them is missing', () => {
    assert.equal(historyPoints([row('2026-06-30', 10, { sma20: 9 })])[0]?.bands, null);
  });

  it('need the averages and what the bands are made of, and no other column', () => {
    const columns = ['datetimeUTC', 'symbol', 'price', 'change1', 'sma5', 'sma20', 'var5', 'var20', 'vol20'];
    assert.deepEqual(chartColumns(columns), ['datetimeUTC', 'price', 'sma5', 'sma20', 'var20']);
  });
});

describe('counting days', () => {
  for (const [first, last, count] of [
    ['2026-06-30', '2026-06-30', 1],
    ['2024-02-28', '2024-03-01', 3],
    ['2025-01-01', '2025-12-31', 365],
  ] as const) {
    it(`${first} to ${last} are ${count}`, () => assert.equal(dayCount(first, last), count));
  }
});

describe('turning the pages of a history', () => {
  const PAGES = [[row('2026-06-30', 3), row('2026-06-29', 2)], [row('2026-06-28', 1)]];
  const fetchPage = async (page: number) => ({ rows: PAGES[page - 1]!, more: page < PAGES.length, limit: 2 });

  async function lastOf(from: LoadedHistory, wanted: (loaded: LoadedHistory) => boolean): Promise<LoadedHistory> {
    let last = from;
    for await (const loaded of turnPages(from, fetchPage, wanted)) last = loaded;
    return last;
  }

  it('ends with the last page', async () => {
    const loaded = await lastOf(NOTHING_LOADED, () => true);
    assert.deepEqual(loaded, { rows: PAGES.flat(), pages: 2, limit: 2, more: false });
  });

  it('stops when no more is wanted, and goes on from there', async () => {
    const first = await lastOf(NOTHING_LOADED, loaded => loaded.pages < 1);
    assert.deepEqual(first, { rows: PAGES[0], pages: 1, limit: 2, more: true });
    assert.deepEqual((await lastOf(first, () => true)).rows, PAGES.flat());
  });

  it('takes in a new day and a corrected one, and keeps what is older', async () => {
    const loaded = await lastOf(NOTHING_LOADED, () => true);
    const newest = { rows: [row('2026-07-01', 5), row('2026-06-30', 4)], more: true, limit: 2 };
    const { rows } = withNewest(loaded, newest);
    assert.deepEqual(rows, [...newest.rows, row('2026-06-29', 2), row('2026-06-28', 1)]);
  });
});

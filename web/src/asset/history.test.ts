import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barPoints, dayCount, type HistoryRow, historyPoints, placeOf } from './history.ts';
import { type LoadedHistory, NOTHING_LOADED, turnPages, withNewest } from './history-loader.ts';

const row = (day: string, price: number, more: HistoryRow = {}): HistoryRow => ({
  datetimeUTC: `${day}T00:00:00.000Z`,
  price,
  ...more,
});

const seconds = (time: string) => Date.parse(time) / 1000;
const dayOf = (start: number) => new Date(start * 1000).toISOString().slice(0, 10);

describe('the points of the chart', () => {
  it('are in the order of days, each day once, however the pages overlap', () => {
    const rows = [row('2026-06-30', 3), row('2026-06-29', 2), row('2026-06-29', 2), row('2026-06-28', 1)];
    const points = historyPoints(rows).map(({ start, price }) => [dayOf(start), price]);
    assert.deepEqual(points, [
      ['2026-06-28', 1],
      ['2026-06-29', 2],
      ['2026-06-30', 3],
    ]);
  });

  it('have the numbers of the row, and nothing for a null', () => {
    const [point] = historyPoints([row('2026-06-30', 10, { sma20: 9, rsi14: null })]);
    const names = ['price', 'sma20', 'rsi14', 'datetimeUTC'];
    assert.deepEqual(
      names.map(name => point!.values.get(name)),
      [10, 9, undefined, undefined],
    );
    assert.deepEqual(
      names.map(name => point!.values.has(name)),
      [true, true, false, false],
    );
  });

  it('are found by their time', () => {
    const points = historyPoints([row('2026-06-30', 3), row('2026-06-29', 2), row('2026-06-27', 1)]);
    const places = ['2026-06-26', '2026-06-27', '2026-06-28', '2026-06-30', '2026-07-01'].map(seconds);
    assert.deepEqual(
      places.map(start => placeOf(points, start)),
      [0, 0, 1, 2, 3],
    );
  });

  it('of months have the prices of the bar and the indicators of its last day', () => {
    const daily = [row('2026-06-29', 3, { rsi14: 33 }), row('2026-05-28', 2, { rsi14: 22, volume: 1 })];
    const bar = (day: string, close: number) => ({ datetimeUTC: `${day}T00:00:00.000Z`, open: 1, close, volume: 7 });
    const points = barPoints([bar('2026-06-01', 3), bar('2026-05-01', 2), bar('2026-04-01', 1)], daily);
    assert.deepEqual(
      points.map(({ start, lastStart, price, values }) => [
        ...[dayOf(start), dayOf(lastStart), price],
        ...[values.get('rsi14'), values.get('volume')],
      ]),
      [
        ['2026-04-01', '2026-04-01', 1, undefined, 7],
        ['2026-05-01', '2026-05-28', 2, 22, 7],
        ['2026-06-01', '2026-06-29', 3, 33, 7],
      ],
    );
  });
});

describe('counting days', () => {
  for (const [first, last, count] of [
    ['2026-06-30', '2026-06-30', 1],
    ['2024-02-28', '2024-03-01', 3],
    ['2025-01-01', '2025-12-31', 365],
  ] as const) {
    it(`${first} to ${last} are ${count}`, () => assert.equal(dayCount(seconds(first), seconds(last)), count));
  }
});

describe('turning the pages of a history', () => {
  const PAGES = [[row('2026-06-30', 3), row('2026-06-29', 2)], [row('2026-06-28', 1)]];
  const fetchPage = async ({ pages }: LoadedHistory) => ({
    rows: PAGES[pages]!,
    more: pages + 1 < PAGES.length,
    limit: 2,
  });

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

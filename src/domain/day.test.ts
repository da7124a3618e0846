import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Day,
  dayFromIso,
  dayOfMillis,
  FIRST_DAY,
  isoFromDay,
  LAST_DAY,
  lastDayFromIso,
  timestampFromDay,
} from './day.ts';

describe('days', () => {
  it('count from 1970-01-01 to 9999-12-31 without a gap, as the calendar does', () => {
    let [year, month, date] = [1970, 1, 1];
    const isLeap = (y: number) => y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0);
    const lengths = (y: number) => [31, isLeap(y) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (let day = FIRST_DAY as number; day <= LAST_DAY; day++) {
      // Every day of the next 200 years and the last ones; the years between would only take time.
      if (day < 95_000 || day > LAST_DAY - 800) {
        const iso = `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
        assert.equal(isoFromDay(day as Day), iso);
        assert.equal(dayFromIso(iso), day);
      }
      date++;
      if (date > lengths(year)[month - 1]!) [date, month] = [1, month + 1];
      if (month > 12) [month, year] = [1, year + 1];
    }
    assert.equal(year, 10_000);
  });

  for (const text of [
    '2023-02-29',
    '2023-02-30',
    '2023-13-01',
    '2023-00-10',
    '2023-01-00',
    '1969-12-31',
    '10000-01-01',
    '2023-1-1',
    '20230101',
    ' 2023-01-01',
    '2023-01-01T00:00:00Z',
    '',
    '٢٠٢٣-٠١-٠١',
  ]) {
    it(`are not read from ${JSON.stringify(text)}`, () => assert.equal(dayFromIso(text), null));
  }

  it('before the first one count as the first where only what came later matters', () => {
    for (const text of ['1969-12-31', '0001-01-01', '1970-01-01']) assert.equal(lastDayFromIso(text), FIRST_DAY);
    assert.equal(lastDayFromIso('2024-02-29'), dayFromIso('2024-02-29'));
    for (const text of ['1969-02-29', '1969-13-01', '69-01-01', '']) assert.equal(lastDayFromIso(text), null);
  });

  it('hold every instant from their first to their last millisecond', () => {
    assert.equal(dayOfMillis(0), 0);
    assert.equal(dayOfMillis(86_399_999.9), 0);
    assert.equal(dayOfMillis(86_400_000), 1);
    assert.equal(dayOfMillis(-1), null);
    assert.equal(dayOfMillis(Number.NaN), null);
    assert.equal(dayOfMillis(Date.parse('2024-02-29T23:59:59Z')), dayFromIso('2024-02-29'));
  });

  it('are written as the timestamps of rows', () => {
    assert.equal(timestampFromDay(dayFromIso('2024-02-29')!), '2024-02-29T00:00:00.000Z');
  });
});

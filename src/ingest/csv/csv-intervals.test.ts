// Files of minutes and hours: what they are taken for, and what in them cannot be right.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brief, readText, reasons, type Seen } from '../../../test/support/csv-files.ts';
import type { CsvOptions } from './csv-options.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 9, 1);

const iso = (instant: number) => new Date(instant).toISOString();

/** Rows of one asset, `step` milliseconds apart; the close is the number of the row. */
function rows(count: number, step: number, from = START, symbol = 'A'): string[] {
  return Array.from({ length: count }, (_, i) => `${symbol},${iso(from + i * step)},${i + 1}`);
}

const read = (lines: readonly string[], options: CsvOptions = {}): Promise<Seen> =>
  readText(['symbol,time,close', ...lines].join('\n'), options);

const intervals = ({ bars }: Seen) => [...new Set(bars.map(({ interval }) => interval))];

describe('the interval of a file', () => {
  for (const [step, interval] of [
    [MINUTE, '1m'],
    [HOUR, '1h'],
    [DAY, '1d'],
  ] as const) {
    for (const [order, ordered] of [
      ['oldest first', (lines: string[]) => lines],
      ['newest first', (lines: string[]) => lines.toReversed()],
      ['shuffled', (lines: string[]) => lines.map((_, i) => lines[(i * 29) % lines.length]!)],
    ] as const) {
      it(`of rows ${step / MINUTE} minutes apart, ${order}, is ${interval}, and each row is a bar`, async () => {
        const seen = await read(ordered(rows(100, step)));
        assert.deepEqual([intervals(seen), reasons(seen.rejects)], [[interval], []]);
        const times = seen.bars.map(({ day, close }) => [day, close]).toSorted((a, b) => Number(a[1]) - Number(b[1]));
        const text = (instant: number) =>
          interval === '1d' ? iso(instant).slice(0, 10) : `${iso(instant).slice(0, 16)}Z`;
        assert.deepEqual(
          times,
          Array.from({ length: 100 }, (_, i) => [text(START + i * step), i + 1]),
        );
      });
    }
  }

  for (const [words, step, flags] of [
    ['5 minutes', 5 * MINUTE, ['1h', '1d']],
    ['15 minutes', 15 * MINUTE, ['1h', '1d']],
    ['30 minutes', 30 * MINUTE, ['1h', '1d']],
    ['4 hours', 4 * HOUR, ['1d']],
    ['12 hours', 12 * HOUR, ['1d']],
    ['1 second', 1000, ['1m', '1h', '1d']],
  ] as const) {
    it(`of rows ${words} apart is none that is stored, and the refusal says what can be made of them`, async () => {
      const { bars, rejects } = await read(rows(100, step));
      assert.deepEqual([bars, reasons(rejects)], [[], ['file:2 wrong_spacing']]);
      assert.match(
        rejects[0]!.detail,
        new RegExp(`^the rows are ${words} apart, and the store has bars of 1m, 1h, 1d; `),
      );
      assert.deepEqual(rejects[0]!.detail.match(/(?<=--interval )\S+/g), [...flags]);
    });
  }

  it('of irregular rows is none, unless it is given', async () => {
    const irregular = Array.from({ length: 60 }, (_, i) => `A,${iso(START + i * 97_123)},${i + 1}`);
    const { bars, rejects } = await read(irregular);
    assert.deepEqual([bars, reasons(rejects)], [[], ['file:2 wrong_spacing']]);
    const days = await read(irregular, { interval: '1d' });
    assert.deepEqual([brief(days.bars), days.rejects], [['A 2026-10-01 60'], []]);
  });

  it('can be coarser than the spacing: bars are made of the rows', async () => {
    const hours = await read(rows(48, 15 * MINUTE), { interval: '1h' });
    assert.deepEqual(
      hours.bars.map(({ day, close }) => `${day} ${close}`),
      Array.from({ length: 12 }, (_, i) => `${iso(START + i * HOUR).slice(0, 16)}Z ${(i + 1) * 4}`),
    );
    const lacking = await read(rows(48, 15 * MINUTE).toSpliced(6, 1), { interval: '1h' });
    assert.equal(lacking.bars.length, 11);
    assert.match(lacking.rejects[0]!.detail, /^2026-10-01T01:00Z of A has 3 of 4 rows, 15 minutes apart/);
  });

  it('cannot be finer than the spacing', async () => {
    const { bars, rejects } = await read(rows(30, DAY), { interval: '1h' });
    assert.deepEqual([bars, reasons(rejects)], [[], ['file:2 wrong_spacing']]);
    assert.match(rejects[0]!.detail, /1 day apart, too far for bars of 1h; load them with --interval 1d/);
    assert.match((await read(rows(30, HOUR), { interval: '1m' })).rejects[0]!.detail, /load them with --interval 1h/);
  });

  it('of a file with too few rows is that of days, unless it is given', async () => {
    assert.deepEqual(intervals(await read(rows(2, HOUR))), ['1d']);
    assert.deepEqual((await read(rows(2, HOUR), { interval: '1h' })).bars.length, 2);
  });
});

describe('in a file of minutes or hours', () => {
  it('a time off the grid is refused with its line, and the rest is loaded', async () => {
    const lines = rows(50, HOUR);
    lines.splice(10, 0, `A,${iso(START + 9.5 * HOUR)},77`);
    const { bars, rejects } = await read(lines);
    assert.deepEqual([bars.length, reasons(rejects)], [50, ['file:12 off_grid']]);
    assert.match(rejects[0]!.detail, /^2026-10-01T09:30:00.000Z is not the start of an hour/);
  });

  it('seconds and milliseconds may be mixed, and a warning names the line', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => {
      const instant = START + i * MINUTE;
      return `A,${i < 20 ? instant / 1000 : i < 30 ? instant : `${instant}000`},${i + 1}`;
    });
    const { bars, rejects, warnings } = await read(lines);
    assert.deepEqual(
      bars.map(({ day }) => day),
      Array.from({ length: 40 }, (_, i) => `${iso(START + i * MINUTE).slice(0, 16)}Z`),
    );
    assert.deepEqual(rejects, []);
    assert.deepEqual(warnings, [
      'file:22: a time in milliseconds, after times in seconds; each is read by its number of digits',
    ]);
  });

  it('an hour that is missing where clocks change is warned of with its line', async () => {
    const lines = rows(40, HOUR, Date.UTC(2026, 2, 28, 20)).filter(row => !row.includes('2026-03-29T02'));
    const { bars, warnings } = await read(lines);
    assert.equal(bars.length, 39);
    assert.match(warnings[0]!, /^file:8: the hour from 2026-03-29T02:00Z is missing, .* are the times local\?/);
    const minutes = rows(400, MINUTE, Date.UTC(2026, 2, 8, 0)).filter(row => !row.includes('2026-03-08T02'));
    assert.match((await read(minutes)).warnings[0]!, /^file:122: the hour from 2026-03-08T02:00Z is missing/);
  });

  it('an hour that comes twice where clocks change is reported with its line', async () => {
    const lines = rows(40, HOUR, Date.UTC(2026, 9, 24, 20));
    lines.splice(6, 0, 'A,2026-10-25T02:00:00.000Z,99');
    const { bars, rejects } = await read(lines);
    assert.deepEqual([bars.length, reasons(rejects)], [40, ['file:9 repeated_differs']]);
    assert.match(rejects[0]!.detail, /^line 8 of .* Clocks change in this night: are the times local\?/);
    // Minutes of the hour come twice, sixty rows later.
    const minutes = rows(300, MINUTE, Date.UTC(2026, 9, 25, 0));
    minutes.splice(180, 0, ...minutes.slice(120, 180));
    const doubled = await read(minutes);
    assert.equal(doubled.rejects.filter(({ reason }) => reason === 'repeated').length, 60);
    assert.equal(new Set(doubled.bars.map(({ day }) => day)).size, 300);
  });

  it('gaps are kept, and a warning says how many and where the first is', async () => {
    const { bars, rejects, warnings } = await read(rows(100, MINUTE).filter((_, i) => i !== 7 && (i < 20 || i > 25)));
    assert.deepEqual([bars.length, rejects], [93, []]);
    assert.deepEqual(warnings, [
      'file:9: 2 gaps, 7 minutes without a row, at first 2026-10-01T00:07Z; they are kept as gaps',
    ]);
  });

  it('rows that are not in order of time have only the gaps that the whole file has', async () => {
    const shuffled = (lines: readonly string[]) => lines.map((_, i) => lines[(i * 37) % lines.length]!);
    assert.deepEqual((await read(shuffled(rows(100, HOUR)))).warnings, []);
    const { warnings } = await read(shuffled(rows(103, HOUR).filter((_, i) => i !== 7 && i !== 8 && i !== 50)));
    assert.deepEqual(warnings, [
      'file: the rows are not in order of time; 3 hours between the first and the last one of an asset have no row; they are kept as gaps',
    ]);
  });

  it('a market with few trades is not taken for a mixture of intervals', async () => {
    const sparse = rows(3000, MINUTE).filter((_, i) => (i * 2_654_435_761) % 4_294_967_296 < 1_400_000_000);
    const { bars, rejects } = await read(sparse, { interval: '1m' });
    assert.deepEqual([bars.length, rejects], [sparse.length, []]);
  });

  for (const [what, fine, coarse] of [
    ['days among hours', HOUR, DAY],
    ['hours among minutes', MINUTE, HOUR],
    ['days among minutes', MINUTE, DAY],
    ['four hours among minutes', MINUTE, 4 * HOUR],
    ['five minutes among minutes', MINUTE, 5 * MINUTE],
  ] as const) {
    it(`rows of another interval are refused one by one, and the rest is loaded: ${what}`, async () => {
      const first = rows(200, fine);
      const coarseStart = START + Math.ceil((200 * fine) / coarse) * coarse + coarse;
      const second = rows(30, coarse, coarseStart);
      const third = rows(100, fine, coarseStart + 30 * coarse + 7 * fine);
      const { bars, rejects } = await read([...first, ...second, ...third]);
      assert.deepEqual(
        reasons(rejects),
        second.map((_, i) => `file:${202 + i} mixed_spacing`),
      );
      assert.equal(bars.length, 300);
      // Newest first, the same rows are refused.
      const reversed = await read([...first, ...second, ...third].toReversed());
      assert.equal(reversed.rejects.length, second.length);
    });
  }

  it('an asset whose rows are days is refused, and another one whose rows are hours is loaded', async () => {
    const lines = [...rows(300, HOUR), ...rows(30, DAY, START, 'B')];
    const { bars, rejects } = await read(lines);
    assert.deepEqual(new Set(bars.map(({ symbol }) => symbol)), new Set(['A']));
    assert.deepEqual([bars.length, rejects.length], [300, 30]);
  });
});

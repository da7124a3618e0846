// How rows become bars: duplicates, hours, and batches that a large file is cut into.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brief, readText, reasons, type SeenBar, TestFolder } from '../../../test/support/csv-files.ts';
import { type Day, isDay, isoFromDay } from '../../domain/day.ts';
import { BATCH_BARS } from './bar-batcher.ts';
import { csvSource } from './csv-source.ts';

const HEADER = 'symbol,time,open,high,low,close,volume';

test('of two rows of one instant the later counts', async () => {
  const { bars } = await readText('symbol,day,close\nA,2024-05-12,1\nA,2024-05-12 00:00:00,2\n');
  assert.deepEqual(brief(bars), ['A 2024-05-12 2']);
  assert.equal(bars[0]!.line, 3);
});

test('a row that will be refused for its numbers does not replace a good one, and is seen', async () => {
  for (const bad of ['A,2024-05-12,0', 'A,2024-05-12,-5']) {
    const { bars } = await readText(`symbol,day,close\nA,2024-05-12,7\n${bad}\nA,2024-05-12,8\n`);
    assert.deepEqual(
      bars.map(bar => bar.line),
      [3, 4],
    );
    assert.equal(bars[1]!.close, 8);
  }
});

function hourly(): string[] {
  const rows: string[] = [];
  for (let hour = 0; hour < 72; hour++) {
    const time = new Date(Date.UTC(2024, 4, 11, hour)).toISOString();
    for (const symbol of ['A', 'B'])
      rows.push(`${symbol},${time},${hour + 1},${hour + 9},${hour + 0.5},${hour + 2},10`);
  }
  return rows;
}

const DAYS_OF_A: readonly Omit<SeenBar, 'line' | 'interval'>[] = [
  { symbol: 'A', day: '2024-05-11', open: 1, high: 32, low: 0.5, close: 25, volume: 240 },
  { symbol: 'A', day: '2024-05-12', open: 25, high: 56, low: 24.5, close: 49, volume: 240 },
  { symbol: 'A', day: '2024-05-13', open: 49, high: 80, low: 48.5, close: 73, volume: 240 },
];

const ORDERS: readonly (readonly [string, (rows: string[]) => string[]])[] = [
  ['oldest first', rows => rows],
  ['newest first', rows => rows.toReversed()],
  ['asset by asset', rows => rows.toSorted((a, b) => (a[0]! < b[0]! ? -1 : a[0]! > b[0]! ? 1 : 0))],
];

for (const [name, order] of ORDERS) {
  test(`hours become days, ${name}`, async () => {
    const { bars } = await readText([HEADER, ...order(hourly())].join('\n'), { interval: '1d' });
    const ofA = bars.filter(bar => bar.symbol === 'A').toSorted((a, b) => (a.day < b.day ? -1 : 1));
    assert.deepEqual(
      ofA.map(({ line: _, interval: _1d, ...bar }) => bar),
      DAYS_OF_A,
    );
    assert.equal(bars.length, 6);
  });
}

const DUPLICATES: readonly (readonly [string, readonly string[], readonly string[], readonly string[]])[] = [
  [
    'a day, after other days',
    ['A,2024-05-11,1', 'A,2024-05-12,2', 'A,2024-05-13,3', 'A,2024-05-11,4', 'A,2024-05-12,5'],
    ['A 2024-05-11 4', 'A 2024-05-12 5', 'A 2024-05-13 3'],
    [
      'line 2 of 2024-05-11 with the close 1; this row with 4 takes its place',
      'line 3 of 2024-05-12 with the close 2; this row with 5 takes its place',
    ],
  ],
  [
    'the same row',
    ['A,2024-05-11,1', 'A,2024-05-11,1', 'A,2024-05-12,2'],
    ['A 2024-05-11 1', 'A 2024-05-12 2'],
    ['line 2 of 2024-05-11; this row with the same close takes its place'],
  ],
  [
    'a time of day that differs from day to day',
    ['A,2024-05-11 22:00,1', 'A,2024-05-12 23:00,2', 'A,2024-05-13 22:00,3', 'A,2024-05-12 23:00,4'],
    ['A 2024-05-11 1', 'A 2024-05-12 4', 'A 2024-05-13 3'],
    ['line 3 of 2024-05-12T23:00:00.000Z with the close 2; this row with 4 takes its place'],
  ],
  [
    'the hour before, in a file of hours',
    ['A,2024-05-11 01:00,1', 'A,2024-05-11 02:00,2', 'A,2024-05-11 02:00,3', 'A,2024-05-12 01:00,4'],
    ['A 2024-05-11 3', 'A 2024-05-12 4'],
    ['line 3 of 2024-05-11T02:00:00.000Z with the close 2; this row with 3 takes its place'],
  ],
];

for (const [what, rows, expected, details] of DUPLICATES) {
  test(`a repetition of ${what} counts in place of the first, and is reported`, async () => {
    const { bars, rejects } = await readText(['symbol,time,close', ...rows].join('\n'), {
      interval: '1d',
      keepIncomplete: true,
    });
    assert.deepEqual(
      rejects.map(({ reason, detail }) => [reason, detail]),
      details.map(detail => [detail.includes('with the close') ? 'repeated_differs' : 'repeated', detail]),
    );
    const last = new Map(bars.map(bar => [bar.day, bar]));
    assert.deepEqual(brief([...last.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))), expected);
  });
}

const OUT_OF_ORDER: readonly (readonly [string, readonly string[], readonly number[]])[] = [
  ['after another day', ['A,2024-05-11 01:00,1', 'A,2024-05-12 01:00,2', 'A,2024-05-11 02:00,3'], [4]],
  [
    'after another day, although one like it was there',
    ['A,2024-05-11 01:00,1', 'A,2024-05-11 02:00,2', 'A,2024-05-12 01:00,3', 'A,2024-05-11 02:00,4'],
    [5],
  ],
  [
    'between those of its day',
    ['A,2024-05-11 01:00,1', 'A,2024-05-11 03:00,3', 'A,2024-05-11 02:00,2', 'A,2024-05-12 01:00,4'],
    [4],
  ],
];

for (const [where, rows, lines] of OUT_OF_ORDER) {
  test(`a row of an hour that comes ${where} is refused, and the rows around it are read`, async () => {
    const { bars, rejects } = await readText(['symbol,time,close', ...rows].join('\n'), {
      interval: '1d',
      keepIncomplete: true,
    });
    assert.deepEqual(
      reasons(rejects),
      lines.map(line => `file:${line} out_of_order`),
    );
    assert.match(rejects[0]!.detail, /^2024-05-11T02:00:00.000Z .* sort the file$/);
    assert.deepEqual(
      bars.map(bar => bar.day),
      ['2024-05-11', '2024-05-12'],
    );
  });
}

test('what is not refused is in the bar of its day, once, in whichever order rows come', async () => {
  const anyRow = fc.record({
    symbol: fc.constantFrom('A', 'B'),
    day: fc.integer({ min: 11, max: 13 }),
    hour: fc.constantFrom(0, 0, 0, 5, 23),
    price: fc.integer({ min: 1, max: 1000 }),
  });
  const property = fc.asyncProperty(fc.array(anyRow, { maxLength: 14 }), async rows => {
    const lines = rows.map(({ symbol, day, hour, price }) => {
      const time = new Date(Date.UTC(2024, 4, day, hour)).toISOString();
      return `${symbol},${time},${price},${price + 1},${price / 2},${price + 0.5},${price}`;
    });
    const { bars, rejects } = await readText([HEADER, ...lines].join('\n'), { interval: '1d', keepIncomplete: true });
    const refused = new Set(rejects.filter(({ reason }) => !reason.startsWith('repeated')).map(reject => reject.where));
    const byDay = new Map<string, Map<number, number>>();
    for (const [i, { symbol, day, hour, price }] of rows.entries()) {
      if (refused.has(`file:${i + 2}`)) continue;
      const key = `${symbol} 2024-05-${day}`;
      byDay.set(key, (byDay.get(key) ?? new Map()).set(hour, price));
    }
    const found = Object.fromEntries(
      bars.map(({ symbol, day, line: _, interval: _1d, ...bar }) => [`${symbol} ${day}`, bar]),
    );
    const expected = Object.fromEntries([...byDay].map(([key, hours]) => [key, barOf(hours)]));
    assert.deepEqual(found, expected);
  });
  await fc.assert(property, { numRuns: 200 });
});

/** The bar of the prices at these hours, written as in the property above. */
function barOf(hours: ReadonlyMap<number, number>) {
  const prices = [...hours].sort(([a], [b]) => a - b).map(([, price]) => price);
  return {
    open: prices[0]!,
    high: Math.max(...prices) + 1,
    low: Math.min(...prices) / 2,
    close: prices.at(-1)! + 0.5,
    volume: prices.reduce((sum, price) => sum + price, 0),
  };
}

test('the line of a day made of hours is that of its close', async () => {
  const { bars } = await readText([HEADER, ...hourly().toReversed()].join('\n'), { interval: '1d' });
  assert.deepEqual(
    bars.filter(bar => bar.symbol === 'B').map(bar => bar.line),
    [2, 50, 98],
  );
});

const whole = { '2024-05-11': 24, '2024-05-12': 24, '2024-05-13': 24 };

/** The days of these rows that are stored, and those that are left out with the number of rows that they have. */
async function storedDays(rows: readonly string[], today?: string) {
  const options = { interval: '1d', ...(today === undefined ? {} : { now: Date.parse(today) }) } as const;
  const { bars, rejects } = await readText([HEADER, ...rows].join('\n'), options);
  const left = rejects.filter(({ reason }) => reason === 'incomplete_day').map(({ detail }) => detail);
  return { stored: bars.map(({ symbol, day }) => `${symbol} ${day}`), left };
}

test('a day that lacks some of its hours is left out and reported', async () => {
  const rows = hourly().filter((_, i) => i !== 2 * 30);
  const { stored, left } = await storedDays(rows);
  assert.equal(stored.length, 2 * Object.keys(whole).length - 1);
  assert.deepEqual(left, ['2024-05-12 of A has 23 of 24 rows, 1 hour apart; --keep-incomplete stores such days']);
});

test('the running day may be incomplete', async () => {
  const rows = hourly().slice(0, -10);
  assert.deepEqual((await storedDays(rows, '2024-05-13')).left, []);
  assert.equal((await storedDays(rows, '2024-05-14')).left.length, 2);
});

test('of a shuffled file of hours, no day is stored that lacks the rows which are refused', async () => {
  const rows = hourly().filter(row => row.startsWith('A'));
  const shuffled = rows.map((_, i) => rows[(i * 29) % rows.length]!);
  const { stored, left } = await storedDays(shuffled);
  assert.deepEqual(stored, []);
  assert.ok(left.length >= 3);
});

for (const [what, rows] of [
  ['a time of day that changes with the seasons', ['2024-03-30T05:00Z', '2024-03-31T04:00Z', '2024-04-01T04:00Z']],
  ['a time of day that is never the same', ['2024-05-01T13:42Z', '2024-05-02T09:17Z', '2024-05-03T22:05Z']],
  ['gaps', ['2024-05-01', '2024-05-05', '2024-05-06', '2024-05-20']],
] as const) {
  test(`a file of days with ${what} has whole days`, async () => {
    const { stored, left } = await storedDays(rows.map(time => `A,${time},1,1,1,1,1`));
    assert.deepEqual([stored.length, left], [rows.length, []]);
  });
}

const FIRST_DAY = 18_000;

function toDay(number: number): Day {
  assert.ok(isDay(number));
  return number;
}

/** Asset number `a` is named `Sa`, and closes at `a + d / 8 + 1` on its day number d. */
function daily(assets: number, days: number, byDay: boolean): string {
  const isoDays = Array.from({ length: days }, (_, day) => isoFromDay(toDay(FIRST_DAY + day)));
  const lines = ['symbol,day,close'];
  for (let i = 0; i < assets * days; i++) {
    const asset = byDay ? i % assets : Math.floor(i / days);
    const day = byDay ? Math.floor(i / assets) : i % days;
    lines.push(`S${asset},${isoDays[day]},${asset + day / 8 + 1}`);
  }
  return lines.join('\n');
}

const LARGE: readonly (readonly [string, number, number, boolean])[] = [
  ['sorted by asset', 130, 900, false],
  ['sorted by day', 130, 900, true],
  ['with more assets than a batch holds', 51_000, 3, true],
];

for (const [name, assets, days, byDay] of LARGE) {
  test(`a large file ${name} arrives whole, each bar once, in bounded batches`, async () => {
    using folder = new TestFolder();
    const path = folder.write('large.csv', daily(assets, days, byDay));
    const seen = new Uint8Array(assets * days);
    const sizes: number[] = [];
    for await (const item of csvSource([path]).bars(async () => null, new AbortController().signal)) {
      if (item.kind !== 'bars') continue;
      const { batch } = item;
      sizes.push(batch.count);
      const assetNumbers = batch.assets.map(asset => Number(asset.symbol.slice(1)));
      const used = new Set<number>();
      for (let i = 0; i < batch.count; i++) {
        used.add(batch.asset[i]!);
        const asset = assetNumbers[batch.asset[i]!]!;
        const day = batch.day[i]! - FIRST_DAY;
        if (batch.close[i] === asset + day / 8 + 1) seen[asset * days + day]!++;
      }
      assert.equal(used.size, batch.assets.length, 'a batch lists the assets that occur in it, and no others');
      // A consumer may use the buffers as its own until it asks for more.
      batch.close.fill(-1);
      batch.asset.fill(0);
    }
    assert.ok(seen.every(times => times === 1));
    assert.ok(sizes.length > 1);
    assert.ok(Math.max(...sizes) <= BATCH_BARS, `batches of ${sizes}`);
  });
}

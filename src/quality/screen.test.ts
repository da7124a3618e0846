import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { type BarColumns, barColumns } from '../domain/bar.ts';
import { check } from './check.ts';
import { areDenseClosesQuiet, isQuiet } from './screen.ts';
import { DEFAULT_RULE_SETTINGS } from './settings.ts';

function bars(count: number, changes: Partial<Record<keyof BarColumns, Record<number, number>>> = {}): BarColumns {
  const made = barColumns(count);
  for (let i = 0; i < count; i++) {
    made.day[i] = i;
    made.close[i] = 100 + (i % 7);
    made.open[i] = made.close[i]!;
    made.high[i] = made.close[i]! + 1;
    made.low[i] = made.close[i]! - 1;
    made.volume[i] = 1000 + i;
  }
  for (const [name, values] of Object.entries(changes))
    for (const [i, value] of Object.entries(values)) made[name as keyof BarColumns][Number(i)] = value;
  return made;
}

const all = (count: number, volume: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [i, volume]));
const zeros = (count: number) => all(count, 0);

const isAllQuiet = (made: BarColumns) => isQuiet(made, 0, made.day.length, DEFAULT_RULE_SETTINGS);

describe('bars are quiet', () => {
  for (const [name, made, expected] of [
    ['if there are none', bars(0), true],
    ['if there is one', bars(1), true],
    ['if they are ordinary', bars(200), true],
    ['unless a period is missing', bars(200, { day: { 199: 200 } }), false],
    ['unless a close jumps', bars(200, { close: { 50: 160 }, high: { 50: 161 } }), false],
    ['unless a close falls', bars(200, { close: { 50: 60 }, low: { 50: 59 } }), false],
    [
      'unless closes are equal',
      bars(200, {
        close: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [20 + i, 100])),
        high: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [20 + i, 110])),
        low: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [20 + i, 90])),
      }),
      false,
    ],
    ['unless a volume is large', bars(200, { volume: { 50: 200_000 } }), false],
    ['if few volumes are small', bars(200, { volume: { ...zeros(13), 199: 1 } }), true],
    ['unless a quarter of a window has small volumes', bars(200, { volume: zeros(15) }), false],
    // The median of the others is 95, of which 10,000 is more than 100 times as much.
    [
      'unless half of the volumes are small',
      bars(31, { volume: { ...all(31, 190), ...zeros(15), 30: 10_000 } }),
      false,
    ],
    ['unless a high is impossible', bars(200, { high: { 50: 90 } }), false],
    ['unless a low is impossible', bars(200, { low: { 50: 120 } }), false],
    ['if numbers are unknown', bars(200, { high: { 50: Number.NaN }, volume: { 3: Number.NaN } }), true],
  ] as const) {
    it(name, () => assert.equal(isAllQuiet(made), expected));
  }
});

test('no rule finds anything in quiet bars', () => {
  const close = fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 95, max: 105 }) }, fc.constantFrom(30, 160, 1000));
  const bar = fc.record({
    close,
    step: fc.oneof({ weight: 60, arbitrary: fc.constant(1) }, fc.constantFrom(2, 5)),
    high: fc.oneof({ weight: 40, arbitrary: fc.constant(2000) }, fc.constantFrom(50, Number.NaN)),
    volume: fc.oneof(
      { weight: 40, arbitrary: fc.integer({ min: 50, max: 900 }) },
      fc.constantFrom(0, 1, 9e4, Number.NaN),
    ),
  });
  let quiet = 0;
  fc.assert(
    fc.property(fc.array(bar, { maxLength: 70 }), drawn => {
      const made = barColumns(drawn.length);
      let day = 10;
      for (const [i, { close, step, high, volume }] of drawn.entries()) {
        day += step;
        [made.day[i], made.close[i], made.high[i], made.volume[i]] = [day, close, high, volume];
      }
      if (!isAllQuiet(made)) return;
      quiet++;
      const { day: period, ...numbers } = made;
      const one = { source: null, period, ...numbers };
      assert.deepEqual(check({ served: one, sources: [one], newest: null }, DEFAULT_RULE_SETTINGS), []);
    }),
    { numRuns: 3000 },
  );
  assert.ok(quiet > 100, `${quiet} were quiet`);
});

test('no rule finds anything in bars with nothing but closes, whose closes of all periods are quiet', () => {
  const bar = fc.record({
    close: fc.oneof({ weight: 60, arbitrary: fc.double({ min: 95, max: 105, noNaN: true }) }, fc.constantFrom(60, 100)),
    step: fc.oneof({ weight: 60, arbitrary: fc.constant(1) }, fc.constant(2)),
  });
  const counts = { quiet: 0, other: 0 };
  fc.assert(
    fc.property(fc.array(bar, { minLength: 1, maxLength: 70 }), drawn => {
      const made = barColumns(drawn.length);
      const dense: number[] = [];
      let day = 10;
      for (const [i, { close, step }] of drawn.entries()) {
        for (let missing = 1; missing < step && i > 0; missing++) dense.push(dense.at(-1)!);
        day += step;
        dense.push(close);
        [made.day[i], made.close[i]] = [day, close];
        for (const name of ['open', 'high', 'low', 'volume'] as const) made[name][i] = Number.NaN;
      }
      const isDenseQuiet = areDenseClosesQuiet(Float64Array.from(dense), 0, dense.length, DEFAULT_RULE_SETTINGS);
      counts[isDenseQuiet ? 'quiet' : 'other']++;
      if (!isDenseQuiet) return;
      const { day: period, ...numbers } = made;
      const one = { source: null, period, ...numbers };
      assert.deepEqual(check({ served: one, sources: [one], newest: null }, DEFAULT_RULE_SETTINGS), []);
    }),
    { numRuns: 2000 },
  );
  assert.ok(counts.quiet > 100 && counts.other > 100, JSON.stringify(counts));
});

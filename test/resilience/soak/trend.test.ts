import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { uniform } from '../../support/market.ts';
import { type Point, trendOf } from './trend.ts';

const SAMPLES = 360;
const EVERY_SECONDS = 5;

/** Half an hour of samples. */
function series(value: (minute: number, random: () => number, i: number) => number): Point[] {
  const random = uniform(7);
  return Array.from({ length: SAMPLES }, (_, i) => {
    const seconds = i * EVERY_SECONDS;
    return { seconds, value: value(seconds / 60, random, i) };
  });
}

/** Rises until it is collected. */
const saw = (i: number) => 40 * ((i % 17) / 17);

describe('a series', () => {
  for (const [what, flat, perHour, points] of [
    ['of one value', true, 0, series(() => 200)],
    ['with noise', true, 0, series((_, random) => 200 + 20 * random())],
    ['that falls', true, -60, series(minute => 300 - minute)],
    ['of saw teeth', true, 0, series((_, random, i) => 200 + saw(i) + 5 * random())],
    ['that rises only at the beginning', true, 0, series(minute => 200 + 100 * Math.min(1, minute / 8))],
    ['with a few wild points', true, 0, series((_, random) => (random() < 0.05 ? 900 : 200))],
    ['with a few points of nothing', true, 0, series((_, random) => (random() < 0.01 ? 0 : 200))],
    ['that leaks one in a hundred a minute', false, 120, series(minute => 200 + 2 * minute)],
    ['that leaks under noise', false, 120, series((minute, random) => 200 + 2 * minute + 20 * random())],
    ['that leaks under saw teeth', false, 120, series((minute, random, i) => 200 + 2 * minute + saw(i) + 5 * random())],
    ['that leaks in steps', false, 120, series(minute => 200 + 10 * Math.floor(minute / 5))],
    ['that leaks besides wild points', false, 120, series((m, random) => (random() < 0.05 ? 900 : 200 + 2 * m))],
  ] as const) {
    it(`${what} is ${flat ? 'flat' : 'not flat'}`, () => {
      const trend = trendOf(points);
      assert.equal(trend.flat, flat, JSON.stringify(trend));
      assert.ok(Math.abs(trend.perHour - perHour) < 30, `${trend.perHour} an hour`);
    });
  }

  it('of no points, or one, is flat', () => {
    assert.deepEqual(trendOf([]), { perHour: 0, rise: 0, allowed: 0, flat: true });
    assert.ok(trendOf([{ seconds: 1, value: 5 }]).flat);
  });
});

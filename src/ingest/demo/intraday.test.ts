import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BarColumns, barColumns } from '../../domain/bar.ts';
import { type WholeBar, writeHours, writeMinutes } from './intraday.ts';
import { rounded } from './random.ts';

/** What a bar of many is, by definition. */
function folded(bars: BarColumns, from: number, to: number): WholeBar {
  return {
    open: bars.open[from]!,
    high: Math.max(...bars.high.subarray(from, to)),
    low: Math.min(...bars.low.subarray(from, to)),
    close: bars.close[to - 1]!,
    volume: bars.volume.subarray(from, to).reduce((sum, volume) => sum + volume, 0),
  };
}

const price = fc.double({ min: 1e-9, max: 1e6, noNaN: true }).map(rounded);
const wholeBar = fc
  .record({
    prices: fc.array(price, { minLength: 4, maxLength: 4 }),
    volume: fc.integer({ min: 0, max: 2 ** 53 - 1 }),
    scale: fc.constantFrom(1, 1, 64, 1024),
  })
  .map(({ prices, volume, scale }): WholeBar => {
    const [low, open, close, high] = prices.toSorted((a, b) => a - b) as [number, number, number, number];
    return { open, high, low, close, volume: volume * scale };
  });

test('hours and their minutes make the day again, bit by bit, and every bar of them is possible', () => {
  fc.assert(
    fc.property(
      wholeBar,
      fc.nat(),
      fc.integer({ min: 1, max: 24 }),
      fc.integer({ min: 1, max: 60 }),
      (day, seed, hours, last) => {
        const [ofDay, ofHour] = [barColumns(24), barColumns(60)];
        assert.equal(writeHours(seed, 20_000, day, ofDay, 0, hours), hours);
        assert.deepEqual(folded(ofDay, 0, hours), day);
        assert.deepEqual(
          [...ofDay.day.subarray(0, hours)],
          Array.from({ length: hours }, (_, i) => 20_000 * 24 + i),
        );
        for (let hour = 0; hour < hours; hour++) {
          const minutes = hour === hours - 1 ? last : 60;
          const bar = folded(ofDay, hour, hour + 1);
          writeMinutes(seed, ofDay.day[hour]!, bar, ofHour, 0, minutes);
          assert.deepEqual(folded(ofHour, 0, minutes), bar);
          for (let i = 0; i < minutes; i++) {
            const { open, high, low, close, volume } = folded(ofHour, i, i + 1);
            assert.ok(low <= Math.min(open, close) && high >= Math.max(open, close) && low > 0 && volume >= 0);
            if (i > 0) assert.equal(open, ofHour.close[i - 1]);
          }
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('equal seeds and days give equal bytes, others do not', () => {
  const bar = { open: 100, high: 110, low: 90, close: 105, volume: 12_345 };
  const hours = (seed: number, day: number) => {
    const out = barColumns(24);
    writeHours(seed, day, bar, out, 0);
    return [...out.close];
  };
  assert.deepEqual(hours(1, 20_000), hours(1, 20_000));
  assert.notDeepEqual(hours(1, 20_000), hours(2, 20_000));
  assert.notDeepEqual(hours(1, 20_000), hours(1, 20_001));
});

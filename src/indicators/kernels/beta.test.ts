import assert from 'node:assert/strict';
import { it } from 'node:test';
import { beta, type ReturnSeries } from './beta.ts';

/** Log returns of any size, as a sum of waves. */
function series(firstDay: number, days: number, seed: number): ReturnSeries {
  const returns = Float64Array.from({ length: days }, (_, i) => (i === 0 ? 0 : Math.sin(seed * i) + Math.cos(i * i)));
  let sum = 0;
  const closes = returns.map(each => {
    sum += each / 100;
    return Math.exp(sum);
  });
  return { firstDay, closes, returns: returns.map(each => each / 100) };
}

it('after the last day of the benchmark, beta and correlation stay what they were on it', () => {
  const [asset, benchmark] = [series(1005, 130, 3), series(1000, 120, 7)];
  const found = [new Float64Array(130), new Float64Array(130)] as const;
  beta(asset, benchmark, 90, 0, found);
  /** The asset's index of day 1119, the benchmark's last. */
  const last = 114;
  for (const values of found) {
    assert.ok(Number.isFinite(values[last]!) && values[last] !== values[last - 1]);
    for (let day = last + 1; day < 130; day++) assert.equal(values[day], values[last], `day ${day}`);
  }
});

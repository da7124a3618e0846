import assert from 'node:assert/strict';
import { it } from 'node:test';
import { GIVE_UP_MS, pauseAfter } from './delivery-runner.ts';

it('pauses double from 5 seconds up to an hour, and are shortened by up to half', () => {
  const longest = [1, 2, 3, 4, 10, 11, 12, 500].map(attempts => pauseAfter(attempts, 0));
  assert.deepEqual(longest, [5e3, 1e4, 2e4, 4e4, 2_560_000, 3_600_000, 3_600_000, 3_600_000]);
  assert.equal(pauseAfter(1, 0.5), 3750);
  assert.ok(pauseAfter(20, 0.999999) >= 1_800_000);
});

it('a message is tried some 30 to 60 times in its day', () => {
  for (const random of [0, 0.999]) {
    let [at, attempts] = [0, 1];
    while (at < GIVE_UP_MS) at += pauseAfter(attempts++, random);
    assert.ok(attempts > 30 && attempts < 70, `${attempts}`);
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { inTimeSlices } from './time-slices.ts';

const busy = (millis: number) => {
  const ends = performance.now() + millis;
  while (performance.now() < ends);
};

describe('work in turns', () => {
  it('is all done, in order, with others in between', async () => {
    const done: number[] = [];
    const take = inTimeSlices((item: number) => {
      busy(2);
      done.push(item);
    });
    for (const item of [1, 2, 3, 4]) take(item);
    assert.deepEqual(done, []);
    const seen: number[] = [];
    while (done.length < 4) {
      await nextTurn();
      seen.push(done.length);
    }
    assert.deepEqual(done, [1, 2, 3, 4]);
    assert.ok(new Set(seen).size > 2, `others had their turn after ${seen} items`);
  });

  it('forgets what is done, also while a task always waits', async () => {
    let left = 5000;
    const take = inTimeSlices<object>(() => {
      if (left-- > 0) take({});
    }, 0);
    const first = new WeakRef({});
    take(first.deref()!);
    take({});
    while (left > 0) await nextTurn();
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    assert.equal(first.deref(), undefined);
  });

  it('goes on with what comes later, also from the work itself', async () => {
    const done: number[] = [];
    const take = inTimeSlices((item: number) => {
      done.push(item);
      if (item < 3) take(item + 1);
    });
    take(1);
    for (let i = 0; i < 5; i++) await nextTurn();
    take(9);
    await nextTurn();
    await nextTurn();
    assert.deepEqual(done, [1, 2, 3, 9]);
  });
});

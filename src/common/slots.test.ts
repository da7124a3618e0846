import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Slots } from './slots.ts';

describe('slots', () => {
  it('let so many run at once, and the rest in the order in which they came', async () => {
    const slots = new Slots(2);
    const begun: number[] = [];
    const jobs = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const all = jobs.map((job, i) =>
      slots.run(() => {
        begun.push(i);
        return job.promise;
      }),
    );
    await turn();
    assert.deepEqual(begun, [0, 1]);
    jobs[1]!.resolve();
    await turn();
    assert.deepEqual(begun, [0, 1, 2]);
    for (const job of jobs) job.resolve();
    await Promise.all(all);
    assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  });

  it('are given back by what fails', async () => {
    const slots = new Slots(1);
    await assert.rejects(
      slots.run(() => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await slots.run(async () => 7), 7);
  });
});

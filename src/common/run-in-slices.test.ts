import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runInSlices } from './run-in-slices.ts';

/** Each step takes longer than a slice, so that each turn does one. */
function* slowSteps(done: number[], count: number): Generator<void, void, undefined> {
  for (let i = 0; i < count; i++) {
    const ends = performance.now() + 2;
    while (performance.now() < ends);
    done.push(i);
    yield;
  }
}

describe('work in slices', () => {
  it('lets other work run between two slices, and tells when it is done', async () => {
    const done: number[] = [];
    const seen: number[] = [];
    const ended = Promise.withResolvers<void>();
    runInSlices(slowSteps(done, 3), ended.resolve);
    assert.deepEqual(done, [], 'the first slice begins later');
    while (done.length < 3) {
      await nextTurn();
      seen.push(done.length);
    }
    await ended.promise;
    assert.ok(seen.includes(1) && seen.includes(2), seen.join());
  });

  it('pauses between two slices only as long as it is told to', async () => {
    const done: number[] = [];
    const pausesAfter: number[] = [];
    const ended = Promise.withResolvers<void>();
    let began = 0;
    runInSlices(slowSteps(done, 3), ended.resolve, () => {
      pausesAfter.push(done.length);
      if (done.length > 1) return 0;
      began = performance.now();
      return 20;
    });
    while (done.length < 2) await nextTurn();
    // A timer may be early by the fraction of a millisecond that its clock does not count.
    assert.ok(performance.now() - began > 18);
    await ended.promise;
    assert.deepEqual(pausesAfter, [1, 2, 3]);
  });

  it('does many short steps in one slice', async () => {
    let steps = 0;
    const ended = Promise.withResolvers<void>();
    runInSlices(
      (function* () {
        while (++steps < 10) yield;
      })(),
      ended.resolve,
    );
    await ended.promise;
    assert.equal(steps, 10);
  });

  it('a step that fails ends the series, and nothing else', async () => {
    function* steps() {
      yield;
      throw new Error('broken');
    }
    const failures: unknown[] = [];
    await new Promise<void>(resolve => runInSlices(steps(), resolve, undefined, error => failures.push(error)));
    assert.deepEqual(failures.map(String), ['Error: broken']);
  });
});

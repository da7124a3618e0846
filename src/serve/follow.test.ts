import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { follow } from './follow.ts';

/** A store that tells of a change when it is told to, and work that ends when it is told to. */
function scene(everyMs: number) {
  let notice = () => {};
  let isWatched = true;
  let finish = () => {};
  const scene = { runs: 0, atOnce: 0, most: 0 };
  const store = {
    watch: (onChange: () => void) => {
      notice = onChange;
      return async () => {
        isWatched = false;
      };
    },
  };
  const stop = follow(store, everyMs, async () => {
    scene.runs++;
    scene.most = Math.max(scene.most, ++scene.atOnce);
    await new Promise<void>(resolve => {
      finish = resolve;
    });
    scene.atOnce--;
  });
  const end = async () => {
    finish();
    await turn();
  };
  return { scene, stop, notice: () => notice(), end, isWatched: () => isWatched };
}

const NEVER = 1_000_000;

describe('following a store', () => {
  it('works at once, and again after a notice', async () => {
    const { scene: seen, stop, notice, end } = scene(NEVER);
    assert.equal(seen.runs, 1);
    await end();
    assert.equal(seen.runs, 1);
    notice();
    assert.equal(seen.runs, 2);
    await end();
    await stop();
  });

  it('works once more after a run in which any number of notices came', async () => {
    const { scene: seen, stop, notice, end } = scene(NEVER);
    notice();
    notice();
    assert.equal(seen.runs, 1);
    await end();
    assert.equal(seen.runs, 2);
    await end();
    assert.deepEqual(seen, { runs: 2, atOnce: 0, most: 1 });
    await stop();
  });

  it('works without a notice when the time has come', async () => {
    const { scene: seen, stop, end } = scene(1);
    await end();
    while (seen.runs < 2) await turn();
    await end();
    await stop();
  });

  it('stops after the run under way, and hears nothing more', async () => {
    const { scene: seen, stop, notice, end, isWatched } = scene(1);
    notice();
    const stopped = stop();
    await end();
    await stopped;
    notice();
    assert.deepEqual([seen.runs, isWatched()], [1, false]);
  });
});

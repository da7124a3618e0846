import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { called, proceed, settled, type Waits } from './waits.ts';

describe('work that waits', () => {
  it('runs to its end at once where there is nothing to wait for', () => {
    const seen: unknown[] = [];
    function* work(): Waits<void> {
      seen.push(yield* called<string>(goOn => goOn('two')));
      seen.push('end');
    }
    proceed(work());
    assert.deepEqual(seen, ['two', 'end']);
  });

  it('goes on with the value of a promise', async () => {
    const seen: unknown[] = [];
    function* work(): Waits<void> {
      seen.push(yield* settled(Promise.resolve(1)));
    }
    proceed(work());
    assert.deepEqual(seen, []);
    await nextTurn();
    assert.deepEqual(seen, [1]);
  });

  it('catches what a promise fails with', async () => {
    let caught: unknown = null;
    function* work(): Waits<void> {
      try {
        yield* settled(Promise.reject(new Error('no')));
      } catch (error) {
        caught = error;
      }
    }
    proceed(work());
    await nextTurn();
    assert.equal(String(caught), 'Error: no');
  });

  it('goes on inside of the call that it waits for', () => {
    const seen: string[] = [];
    let goOnLater = () => {};
    function* work(): Waits<void> {
      yield* called<void>(goOn => {
        goOnLater = goOn;
      });
      seen.push('inside');
    }
    proceed(work());
    seen.push('before');
    goOnLater();
    seen.push('after');
    assert.deepEqual(seen, ['before', 'inside', 'after']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shared } from './shared-promise.ts';

/** Counts its calls; each one is settled by the test. */
function counted() {
  const calls: PromiseWithResolvers<number>[] = [];
  const make = () => {
    const call = Promise.withResolvers<number>();
    calls.push(call);
    return call.promise;
  };
  return { calls, make };
}

describe('a shared promise', () => {
  it('is made once for all callers', async () => {
    const { calls, make } = counted();
    const get = shared(make);
    const both = [get(), get()];
    calls[0]!.resolve(7);
    assert.deepEqual(await Promise.all([...both, get()]), [7, 7, 7]);
    assert.equal(calls.length, 1);
  });

  it('does not keep a failure', async () => {
    const { calls, make } = counted();
    const get = shared(make);
    const first = get();
    calls[0]!.reject(new Error('too many open files'));
    await assert.rejects(first, /too many open files/);
    const second = get();
    calls[1]!.resolve(7);
    assert.equal(await second, 7);
  });

  it('does not keep what is thrown', async () => {
    let calls = 0;
    const get = shared(() => {
      if (calls++ === 0) throw new Error('not yet');
      return 7;
    });
    await assert.rejects(get(), /not yet/);
    assert.equal(await get(), 7);
  });

  it('is made again once it is too old, but never twice at the same time', async () => {
    const { calls, make } = counted();
    let time = 0;
    const get = shared(make, 1000, () => time);
    const first = get();
    time = 5000;
    assert.equal(get(), first, 'it is still being made');
    calls[0]!.resolve(1);
    await first;
    const second = get();
    calls[1]!.resolve(2);
    assert.equal(await second, 2);
    time = 5999;
    assert.equal(await get(), 2);
    time = 6000;
    const third = get();
    calls[2]!.resolve(3);
    assert.equal(await third, 3);
  });
});

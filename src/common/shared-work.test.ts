import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SharedWork } from './shared-work.ts';
import { StepsEnded } from './steps.ts';

describe('shared work', () => {
  it('is done once for all who wait, and again for the next', async () => {
    const shared = new SharedWork<number>();
    let done = 0;
    const get = () => shared.get('a', async () => ++done);
    assert.deepEqual(await Promise.all([get(), get(), get()]), [1, 1, 1]);
    assert.equal(await get(), 2);
  });

  it('is done by the next one if the request that began it has ended', async () => {
    const shared = new SharedWork<string>();
    const first = shared.get('a', () => Promise.reject(new StepsEnded('gone')));
    const others = ['b', 'c'].map(name => shared.get('a', async () => name));
    await assert.rejects(first, StepsEnded);
    assert.deepEqual(await Promise.all(others), ['b', 'b']);
  });

  it('fails for all who wait if the work itself fails', async () => {
    const shared = new SharedWork<string>();
    const fails = () => Promise.reject(new RangeError('no'));
    const first = shared.get('a', fails);
    const other = shared.get('a', async () => 'b');
    await assert.rejects(first, RangeError);
    await assert.rejects(other, RangeError);
    assert.equal(await shared.get('a', async () => 'later'), 'later', 'the failure is not kept');
  });
});

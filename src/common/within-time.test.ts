import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinTime } from './within-time.ts';

const never = new Promise<never>(() => {});
const late = () => new Error('late');

describe('work within a time', () => {
  it('ends as it ends', async () => {
    const { signal } = new AbortController();
    assert.equal(await withinTime(Promise.resolve(5), 60_000, signal, late), 5);
    await assert.rejects(withinTime(Promise.reject(new Error('bad')), 60_000, signal, late), /bad/);
  });

  it('fails when the time is up, and when the signal is aborted', async () => {
    const stop = new AbortController();
    await assert.rejects(withinTime(never, 1, stop.signal, late), /late/);
    const waiting = withinTime(never, 60_000, stop.signal, late);
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
    await assert.rejects(withinTime(never, 60_000, stop.signal, late), /stopped/);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Share } from './node-shares.ts';

describe('the share of connections that a node has', () => {
  const late = () => new Error('late');

  it('is one read at a time, in order', async () => {
    const share = new Share();
    const ran: string[] = [];
    const reads = ['a', 'b', 'c'].map(name =>
      share.run(
        10_000,
        async () => {
          ran.push(`${name} begins`);
          await null;
          ran.push(`${name} ends`);
          return name;
        },
        late,
      ),
    );
    assert.deepEqual(await Promise.all(reads), ['a', 'b', 'c']);
    assert.deepEqual(ran, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('passes a failure on and goes on', async () => {
    const share = new Share();
    await assert.rejects(
      share.run(10_000, () => Promise.reject(new Error('broken')), late),
      /broken/,
    );
    assert.equal(await share.run(10_000, async () => 1, late), 1);
  });

  it('refuses reads at once while one is late, and serves again when that one ends', async () => {
    const share = new Share();
    const hanging = Promise.withResolvers<number>();
    let waited = 0;
    const first = share.run(20, () => hanging.promise, late);
    const second = share.run(20, async () => waited++, late);
    await assert.rejects(first, /late/);
    await assert.rejects(second, /late/);
    await assert.rejects(
      share.run(60_000, async () => waited++, late),
      /late/,
    );
    hanging.resolve(1);
    await hanging.promise;
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(await share.run(60_000, async () => 7, late), 7);
    assert.equal(waited, 0, 'nothing runs for a caller that was refused');
  });
});

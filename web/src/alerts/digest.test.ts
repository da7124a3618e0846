import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BETWEEN, Digest, PER_ASSET } from './digest.ts';

const row = (symbol: string) => ({ symbol });

describe('the news of a watch', () => {
  it('are reported at once, and then together once per minute', () => {
    const digest = new Digest('both');
    assert.equal(digest.wait(0), null);
    digest.add({ entered: [row('AAA')], left: [] });
    assert.deepEqual(digest.take(0), { entered: [row('AAA')], left: [] });
    digest.add({ entered: [row('BBB')], left: [] });
    digest.add({ entered: [row('CCC')], left: ['DDD'] });
    assert.equal(digest.wait(1000), BETWEEN - 1000);
    assert.equal(digest.take(1000), null);
    assert.deepEqual(digest.take(BETWEEN), { entered: [row('BBB'), row('CCC')], left: ['DDD'] });
    assert.equal(digest.wait(BETWEEN), null);
  });

  it('leave out what enters and leaves in between', () => {
    const digest = new Digest('both');
    digest.add({ entered: [row('AAA')], left: ['BBB'] });
    digest.add({ entered: [row('BBB')], left: ['AAA'] });
    assert.equal(digest.take(0), null);
  });

  it('name an asset once per hour', () => {
    const digest = new Digest('enter');
    digest.add({ entered: [row('AAA')], left: [] });
    assert.ok(digest.take(0));
    digest.add({ entered: [], left: ['AAA'] });
    assert.equal(digest.take(BETWEEN), null);
    digest.add({ entered: [row('AAA')], left: [] });
    assert.equal(digest.take(2 * BETWEEN), null);
    digest.add({ entered: [row('AAA')], left: [] });
    assert.ok(digest.take(PER_ASSET));
  });

  for (const [on, wanted] of [
    ['enter', { entered: [row('AAA')], left: [] }],
    ['leave', { entered: [], left: ['BBB'] }],
    ['both', { entered: [row('AAA')], left: ['BBB'] }],
  ] as const) {
    it(`have the direction ${on}`, () => {
      const digest = new Digest(on);
      digest.add({ entered: [row('AAA')], left: ['BBB'] });
      assert.deepEqual(digest.take(0), wanted);
    });
  }
});

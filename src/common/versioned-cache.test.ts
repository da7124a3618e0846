import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VersionedCache } from './versioned-cache.ts';

describe('a cache of one version', () => {
  it('keeps values while the version stays', () => {
    const cache = new VersionedCache<number>(1000);
    cache.of('a').set('x', 1, 10);
    assert.equal(cache.of('a').get('x'), 1);
  });

  it('is emptied when the version changes, also when it changes back', () => {
    const cache = new VersionedCache<number>(1000);
    cache.of('a').set('x', 1, 10);
    assert.equal(cache.of('b').get('x'), undefined);
    assert.equal(cache.of('a').get('x'), undefined);
  });

  it('does not take a value that was computed for an older version', () => {
    const cache = new VersionedCache<number>(1000);
    const older = cache.of('a');
    const newer = cache.of('b');
    older.set('x', 1, 10);
    assert.equal(newer.get('x'), undefined);
  });
});

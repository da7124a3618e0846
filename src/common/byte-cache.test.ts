import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteCache } from './byte-cache.ts';

describe('a cache with a bound in bytes', () => {
  it('gives back what was put in', () => {
    const cache = new ByteCache<number>(100);
    cache.set('a', 1, 10);
    cache.set('a', 2, 10);
    assert.equal(cache.get('a'), 2);
    assert.equal(cache.get('b'), undefined);
  });

  it('keeps what is asked for and forgets what is not', () => {
    const cache = new ByteCache<number>(100);
    cache.set('wanted', 0, 10);
    for (let i = 0; i < 50; i++) {
      cache.set(`passing ${i}`, i, 10);
      assert.equal(cache.get('wanted'), 0);
    }
    const left = Array.from({ length: 50 }, (_, i) => cache.get(`passing ${i}`)).filter(value => value !== undefined);
    assert.ok(left.length <= 10, `${left.length} are left that no request used`);
  });

  it('never holds more than its bound, whatever the sizes', () => {
    const cache = new ByteCache<number>(1000);
    const sizes = Array.from({ length: 500 }, (_, i) => (i * 37) % 400);
    for (const [i, size] of sizes.entries()) cache.set(String(i), size, size);
    const held = sizes.map((size, i) => (cache.get(String(i)) === undefined ? 0 : size));
    assert.ok(held.reduce((sum, size) => sum + size, 0) <= 1000);
  });

  it('holds as much as its bound allows, however it is asked', () => {
    const cache = new ByteCache<number>(100);
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < 10; i++) {
        if (round > 0) assert.equal(cache.get(String(i)), i, `${i} in round ${round}`);
        else cache.set(String(i), i, 10);
      }
    }
  });

  it('goes on when all of it is wanted', () => {
    const cache = new ByteCache<number>(100);
    for (let i = 0; i < 100; i++) {
      cache.set(String(i), i, 10);
      for (let j = 0; j <= i; j++) cache.get(String(j));
    }
    assert.equal(cache.get('99'), 99);
  });

  it('does not keep what is larger than half of it', () => {
    const cache = new ByteCache<number>(100);
    cache.set('small', 1, 10);
    cache.set('large', 2, 51);
    assert.equal(cache.get('large'), undefined);
    assert.equal(cache.get('small'), 1);
  });

  it('passes on every value that it removes, once: evicted, replaced and cleared ones', () => {
    const removed: number[] = [];
    const cache = new ByteCache<number, number>(30, value => removed.push(value));
    for (const key of [1, 2, 3, 4]) cache.set(key, key, 10);
    assert.deepEqual(removed, [1]);
    cache.set(2, 22, 10);
    assert.deepEqual(removed, [1, 2]);
    cache.clear();
    assert.deepEqual(
      removed.toSorted((a, b) => a - b),
      [1, 2, 3, 4, 22],
    );
    cache.set(5, 5, 10);
    assert.deepEqual([cache.get(5), cache.get(22)], [5, undefined]);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash, Random } from './random.ts';

const DRAWS = 20_000;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

test('equal seeds give equal streams, other seeds other ones', () => {
  const stream = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 100 }, () => random.next());
  };
  assert.deepEqual(stream(7), stream(7));
  assert.notDeepEqual(stream(7), stream(8));
});

test('the first numbers of neighbouring seeds are unrelated', () => {
  const firsts = Array.from({ length: DRAWS }, (_, seed) => new Random(seed).between(-1, 1));
  const products = firsts.slice(1).map((value, i) => value * firsts[i]!);
  assert.ok(Math.abs(mean(firsts)) < 0.02, `mean ${mean(firsts)}`);
  assert.ok(Math.abs(mean(products)) < 0.02, `mean of products ${mean(products)}`);
});

test('a hash is an unsigned 32-bit integer that both of its inputs change', () => {
  const seen = new Set<number>();
  for (let a = 0; a < 100; a++) for (let b = 0; b < 100; b++) seen.add(hash(a, b));
  assert.ok(seen.size > 9_990, `${seen.size} different of 10,000`);
  for (const value of seen) assert.ok(Number.isInteger(value) && value >= 0 && value < 2 ** 32);
});

test('normal numbers have mean 0 and deviation 1', () => {
  const random = new Random(1);
  const values = Array.from({ length: DRAWS }, () => random.normal());
  assert.ok(Math.abs(mean(values)) < 0.03);
  assert.ok(Math.abs(mean(values.map(value => value * value)) - 1) < 0.03);
});

test('whole numbers reach both ends and nothing beyond', () => {
  const random = new Random(2);
  const seen = new Set(Array.from({ length: 1_000 }, () => random.whole(3, 6)));
  assert.deepEqual([...seen].sort(), [3, 4, 5, 6]);
});

test('picking some gives different ones, and all when too many are wanted', () => {
  const random = new Random(3);
  for (let i = 0; i < 100; i++) assert.equal(new Set(random.pickSome(['a', 'b', 'c', 'd'], 3)).size, 3);
  assert.deepEqual(random.pickSome(['a', 'b'], 5).sort(), ['a', 'b']);
});

test('weights decide how often a choice is taken', () => {
  const random = new Random(4);
  const choices = [{ weight: 1 }, { weight: 0 }, { weight: 3 }];
  const taken = Array.from({ length: DRAWS }, () => choices.indexOf(random.weighted(choices)));
  assert.ok(!taken.includes(1));
  const share = taken.filter(index => index === 2).length / DRAWS;
  assert.ok(Math.abs(share - 0.75) < 0.02, `share ${share}`);
});

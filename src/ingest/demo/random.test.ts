import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growth, hash, randomStream, rounded } from './random.ts';

const DRAWS = 20_000;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

test('equal seeds give equal streams, other seeds other ones', () => {
  const stream = (seed: number) => {
    const random = randomStream(seed);
    return Array.from({ length: 100 }, () => random.next());
  };
  assert.deepEqual(stream(7), stream(7));
  assert.notDeepEqual(stream(7), stream(8));
});

test('the first numbers of neighbouring seeds are unrelated', () => {
  const firsts = Array.from({ length: DRAWS }, (_, seed) => randomStream(seed).between(-1, 1));
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
  const random = randomStream(1);
  const values = Array.from({ length: DRAWS }, () => random.normal());
  assert.ok(Math.abs(mean(values)) < 0.03);
  assert.ok(Math.abs(mean(values.map(value => value * value)) - 1) < 0.03);
});

test('whole numbers reach both ends and nothing beyond', () => {
  const random = randomStream(2);
  const seen = new Set(Array.from({ length: 1_000 }, () => random.whole(3, 6)));
  assert.deepEqual([...seen].sort(), [3, 4, 5, 6]);
});

test('picking some gives different ones, and all when too many are wanted', () => {
  const random = randomStream(3);
  for (let i = 0; i < 100; i++) assert.equal(new Set(random.pickSome(['a', 'b', 'c', 'd'], 3)).size, 3);
  assert.deepEqual(random.pickSome(['a', 'b'], 5).sort(), ['a', 'b']);
});

test('growth is close to the exponential, and its reciprocal for the opposite sign', () => {
  for (let x = -2; x <= 2; x += 0.01) assert.ok(Math.abs(growth(x) / Math.exp(x) - 1) < 0.011, String(x));
  for (let x = 0; x < 8; x += 0.1) assert.ok(Math.abs(growth(x) * growth(-x) - 1) < 1e-12, String(x));
  for (let x = -8; x < 8; x += 0.1) assert.ok(growth(x + 0.1) > growth(x) && growth(x) > 0, String(x));
  assert.equal(growth(0), 1);
});

test('rounding keeps six significant digits and gives a short text', () => {
  const cases: [price: number, text: string][] = [
    [0, '0'],
    [1, '1'],
    [0.99999949, '0.999999'],
    [0.99999951, '1'],
    [123456.789, '123457'],
    [1.23456789e-9, '1.23457e-9'],
    [98765.4321, '98765.4'],
  ];
  for (const [price, text] of cases) assert.equal(String(rounded(price)), text);
});

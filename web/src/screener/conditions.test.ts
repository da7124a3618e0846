import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Filter, joinConditions, parseFilter, splitConditions, writeFilter } from './conditions.ts';

const NUMERIC = new Set(['price', 'sma50', 'sma200', 'change7', 'change365']);
const parse = (text: string) => parseFilter(text, name => NUMERIC.has(name));

describe('an expression', () => {
  const cases: readonly [where: string, conditions: readonly string[]][] = [
    ['', []],
    ['  ', []],
    ['price > 1', ['price > 1']],
    ['price > 1 and sma50 > sma200', ['price > 1', 'sma50 > sma200']],
    ['price between 1 and 5 and change7 < 0', ['price between 1 and 5', 'change7 < 0']],
    ['(price > 1 and change7 < 0) AND sma50 > 2', ['(price > 1 and change7 < 0)', 'sma50 > 2']],
    ['price > 1 and change7 < 0 or sma50 > 2', ['price > 1 and change7 < 0 or sma50 > 2']],
    ["symbol = 'A and B' and price > 1", ["symbol = 'A and B'", 'price > 1']],
    ['not price > 1 and change7 < 0', ['not price > 1', 'change7 < 0']],
    ['price > 1 and', ['price > 1']],
  ];
  for (const [where, conditions] of cases) {
    it(`“${where}” has ${conditions.length} conditions`, () => assert.deepEqual(splitConditions(where), conditions));
  }

  it('is put together again with parentheses around alternatives', () => {
    assert.equal(joinConditions(['a > 1 or b > 2', 'c > 3']), '(a > 1 or b > 2) and c > 3');
    assert.equal(joinConditions(['a > 1 or b > 2']), 'a > 1 or b > 2');
    assert.equal(joinConditions([]), '');
  });
});

describe('a condition', () => {
  const filters: readonly [text: string, filter: Filter][] = [
    ['price >= 1e-9', { kind: 'range', column: 'price', low: 1e-9, high: null }],
    ['price <= -2.5', { kind: 'range', column: 'price', low: null, high: -2.5 }],
    ['change7 between -10 and -5', { kind: 'range', column: 'change7', low: -10, high: -5 }],
    ['price > 5', { kind: 'comparison', left: 'price', operator: 'gt', right: 5 }],
    ['change7 != -1', { kind: 'comparison', left: 'change7', operator: 'ne', right: -1 }],
    ['sma50 > sma200', { kind: 'comparison', left: 'sma50', operator: 'gt', right: 'sma200' }],
    ['change365 is not null', { kind: 'not_null', column: 'change365' }],
  ];
  for (const [text, filter] of filters) {
    it(`“${text}” has a form, which writes it back`, () => {
      assert.deepEqual(parse(text), filter);
      assert.equal(writeFilter(filter), text);
    });
  }

  for (const text of [
    'sma50 > 1.02 * sma200',
    'sma50 - 1 > 5',
    'price > 1 + 2',
    'price',
    'price is null',
    'prize > 1',
    'price > prize',
    "tag('defi')",
    'not price > 1',
    'price between 1 and sma50',
    '5 < price',
    'price >',
  ]) {
    it(`“${text}” has none`, () => assert.equal(parse(text), null));
  }
});

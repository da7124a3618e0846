import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearest } from './nearest.ts';

describe('the nearest known name', () => {
  const known = ['limit', 'page', 'sort', 'order', 'excl_cols', 'price', 'sma50', 'sma200'];
  for (const [typed, meant] of [
    ['limt', 'limit'],
    ['Limit', 'limit'],
    ['pgae', 'page'],
    ['apge', 'page'],
    ['sorted', 'sort'],
    ['excl_col', 'excl_cols'],
    ['exclcols', 'excl_cols'],
    ['sma20', 'sma50'],
    ['prise', 'price'],
    ['nope', null],
    ['part', null],
    ['s', null],
    ['zzzzzz', null],
    ['', null],
    ['x'.repeat(100_000), null],
  ] as const) {
    it(`to ${JSON.stringify(typed.slice(0, 12))} is ${meant}`, () => assert.equal(nearest(typed, known), meant));
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { column, type ExpressionValue, where } from './expression.ts';

describe('where', () => {
  for (const [name, expression, text] of [
    ['a text', where`symbol = ${'BTC'}`, "symbol = 'BTC'"],
    ['a text with quotes', where`symbol = ${"x' or 1 = 1 or symbol = 'y"}`, "symbol = 'x'' or 1 = 1 or symbol = ''y'"],
    ['numbers', where`price > ${1e21} and change7 < ${-0.5}`, 'price > 1e+21 and change7 < -0.5'],
    ['a list', where`symbol in ${['BTC', "O'X"]}`, "symbol in ('BTC', 'O''X')"],
    ['a list of numbers', where`price in ${[1, 2]}`, 'price in (1, 2)'],
    ['a date', where`datetimeUTC >= ${new Date('2026-01-31T23:59:00Z')}`, "datetimeUTC >= '2026-01-31'"],
    ['an expression', where`${where`a = 1 or b = 2`} and c = 3`, '(a = 1 or b = 2) and c = 3'],
    ['a column', where`${column('price')} > 1`, '[price] > 1'],
    ['nothing', where`price > 1`, 'price > 1'],
    ['values at both ends', where`${1} < ${2}`, '1 < 2'],
  ] as const) {
    it(`writes ${name}`, () => assert.equal(String(expression), text));
  }

  for (const value of [Number.NaN, Infinity, [], null, undefined, {}, true]) {
    it(`refuses ${JSON.stringify(value) ?? value}`, () => {
      // What the compiler already refuses, or cannot see.
      assert.throws(() => where`price > ${value as ExpressionValue}`, TypeError);
    });
  }

  for (const name of ['', 'a b', 'price) or (1 = 1', '1a', 'a]']) {
    it(`refuses the column ${JSON.stringify(name)}`, () => assert.throws(() => column(name), TypeError));
  }
});

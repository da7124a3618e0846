import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalsFor, exp, powerOf10, significant } from './arithmetic.ts';

test('exp is as exact as a price needs', () => {
  for (let x = -40; x <= 40; x += 0.0137) {
    const error = Math.abs(exp(x) / Math.exp(x) - 1);
    assert.ok(error < 1e-13, `exp(${x}) is off by ${error}`);
  }
  assert.equal(exp(0), 1);
  assert.ok(Math.abs(powerOf10(-9) / 1e-9 - 1) < 1e-13);
});

test('rounding keeps the wanted number of digits and gives a short text', () => {
  const cases: [value: number, digits: number, text: string][] = [
    [0, 6, '0'],
    [1, 6, '1'],
    [0.99999949, 6, '0.999999'],
    [0.99999951, 6, '1'],
    [123456.789, 6, '123457'],
    [1.23456789e-9, 6, '1.23457e-9'],
    [98765.4321, 6, '98765.4'],
    [1234567, 3, '1230000'],
    [9.21119e15, 5, '9211200000000000'],
  ];
  for (const [value, digits, text] of cases) assert.equal(String(significant(value, digits)), text);
});

test('decimals are those that write the digits', () => {
  const cases: [value: number, decimals: number][] = [
    [0.5, 6],
    [1, 5],
    [9.99, 5],
    [10, 4],
    [100_000, 0],
    [1_000_000, -1],
  ];
  for (const [value, decimals] of cases) assert.equal(decimalsFor(value, 6), decimals, String(value));
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { typedNumber, withPlainNumbers } from './typed-number.ts';

describe('a number that a person types', () => {
  const cases: readonly [text: string, value: number | null][] = [
    ['10M', 10_000_000],
    ['10 M', 10_000_000],
    ['10 m', 10_000_000],
    ['1.1M', 1_100_000],
    ['84.15 M', 84_150_000],
    ['2.5k', 2500],
    ['1B', 1e9],
    ['2.61 T', 2.61e12],
    ['10,000,000', 10_000_000],
    ['10 000 000', 10_000_000],
    ['10_000', 10_000],
    ['1’000.5', 1000.5],
    ["1'000", 1000],
    ['1,500M', 1.5e9],
    ['−20', -20],
    ['-20', -20],
    ['+5', 5],
    [' 0.5 ', 0.5],
    ['.5', 0.5],
    ['1e-9', 1e-9],
    ['1e3K', 1e6],
    ['0', 0],
    ['1,5', null],
    ['1,0000', null],
    ['10,00,000', null],
    ['10 MM', null],
    ['10 million', null],
    ['', null],
    ['ten', null],
    ['1e999', null],
    ['0x10', null],
  ];
  for (const [text, value] of cases) {
    it(`“${text}” is ${value === null ? 'not one' : value}`, () => assert.equal(typedNumber(text), value));
  }
});

describe('an expression that a person types', () => {
  const cases: readonly [typed: string, plain: string][] = [
    ['turnover > 10M', 'turnover > 10000000'],
    ['turnover > 10 M and price < 5', 'turnover > 10000000 and price < 5'],
    ['turnover>10,000,000', 'turnover>10000000'],
    ['market_cap between 1B and 2.5 t', 'market_cap between 1000000000 and 2500000000000'],
    ['(turnover > 1,000) or (turnover30 > 2K)', '(turnover > 1000) or (turnover30 > 2000)'],
    ['change7 < −20', 'change7 < -20'],
    ['turnover > 10 between', 'turnover > 10 between'],
    ['max(1,000, price) > 10K', 'max(1,000, price) > 10000'],
    ['price > 1 and not (turnover < 1,000)', 'price > 1 and not (turnover < 1000)'],
    ["symbol in ('10M','1,000') and sma50 > 1e-9", "symbol in ('10M','1,000') and sma50 > 1e-9"],
    ["tag('1K", "tag('1K"],
    ['(price > min(1,200)) and volume > 1,200', '(price > min(1,200)) and volume > 1200'],
    ['market_cap>1.5 b and price<2k', 'market_cap>1500000000 and price<2000'],
    ['turnover30 >= 1,234.5', 'turnover30 >= 1234.5'],
    ['min(price,100,200) > 1', 'min(price,100,200) > 1'],
    ['history in (100,200)', 'history in (100,200)'],
    ['a1,234 > 1', 'a1,234 > 1'],
    ['max(1,200M) > 1', 'max(1,200000000) > 1'],
    ['price > 10MB', 'price > 10MB'],
    ['price > 1234,567', 'price > 1234,567'],
    ['price > 1.02 * sma200', 'price > 1.02 * sma200'],
    ['price > 1,5', 'price > 1,5'],
    ['bb20_pct > 0.5', 'bb20_pct > 0.5'],
    ['', ''],
  ];
  for (const [typed, plain] of cases) {
    it(`“${typed}” is “${plain}”`, () => {
      assert.equal(withPlainNumbers(typed), plain);
      assert.equal(withPlainNumbers(plain), plain, 'once more changes nothing');
    });
  }

  it('takes linear time', () => {
    const began = performance.now();
    withPlainNumbers(`${'('.repeat(100_000)}${'1,'.repeat(100_000)}`);
    assert.ok(performance.now() - began < 5000);
  });
});

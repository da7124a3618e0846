import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withPlainNumbers } from './plain-numbers.ts';

describe('numbers as people type them', () => {
  for (const [typed, plain] of [
    ['market_cap > 10M', 'market_cap > 10000000'],
    ['market_cap>1.5 b and price<2k', 'market_cap>1500000000 and price<2000'],
    ['turnover30 >= 10,000,000', 'turnover30 >= 10000000'],
    ['turnover30 >= 1,234.5', 'turnover30 >= 1234.5'],
    ['market_cap between 1.1M and 2T', 'market_cap between 1100000 and 2000000000000'],
    ['(turnover30 > 1,000,000)', '(turnover30 > 1000000)'],
    ['not (turnover30 > 1,000 and price > 2)', 'not (turnover30 > 1000 and price > 2)'],
    ['min(price,100,200) > 1', 'min(price,100,200) > 1'],
    ['max(1,200M) > 1', 'max(1,200000000) > 1'],
    ['history in (100,200)', 'history in (100,200)'],
    ['(price > min(1,200)) and volume > 1,200', '(price > min(1,200)) and volume > 1200'],
    ["symbol = '10M' and name = '1,000'", "symbol = '10M' and name = '1,000'"],
    ["symbol in ('10M', 'B') and price > 1K", "symbol in ('10M', 'B') and price > 1000"],
    ['sma50 > 1e6 and price > .5', 'sma50 > 1e6 and price > .5'],
    ['price > 10MB', 'price > 10MB'],
    ['price > 1 between', 'price > 1 between'],
    ['price > 10,00', 'price > 10,00'],
    ['price > 1234,567', 'price > 1234,567'],
    ['a1,234 > 1', 'a1,234 > 1'],
  ] as const) {
    it(`${typed} is ${plain}`, () => assert.equal(withPlainNumbers(typed), plain));
  }

  it('takes linear time', () => {
    const long = `${'('.repeat(20_000)}${'1,'.repeat(20_000)}`;
    const began = performance.now();
    withPlainNumbers(long);
    assert.ok(performance.now() - began < 2000);
  });
});

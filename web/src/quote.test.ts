import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteOf, quoteParam, shownQuote, unitInQuote } from './quote.ts';

test('a quote is a ticker in upper case, and dollars are not sent', () => {
  assert.deepEqual(['eur', ' btc ', '', 'usd'].map(quoteOf), ['EUR', 'BTC', 'USD', 'USD']);
  assert.equal(quoteOf(null), 'USD');
  assert.deepEqual([quoteParam('USD'), quoteParam('EUR')], [undefined, 'EUR']);
});

test('units of prices are in the quote, and others stay', () => {
  shownQuote.value = 'EUR';
  try {
    assert.deepEqual(
      ['USD', 'USD²', 'percent', 'units of the asset'].map(unit => unitInQuote(unit)),
      [...['EUR', 'EUR²', 'percent', 'units of the asset']],
    );
    assert.equal(quoteParam(), 'EUR');
  } finally {
    shownQuote.value = 'USD';
  }
  assert.equal(unitInQuote('USD²'), 'USD²');
});

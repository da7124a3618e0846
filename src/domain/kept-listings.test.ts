import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEPT_LISTINGS_PATTERN, parseKeptListings } from './kept-listings.ts';

test('listings are intervals, each with a quote if it is not the dollar', () => {
  assert.deepEqual(parseKeptListings('1h,1d/eur,4h/btc-bitcoin,1d/USD'), [
    { interval: '1h', quote: null },
    { interval: '1d', quote: 'EUR' },
    { interval: '4h', quote: 'BTC-BITCOIN' },
    { interval: '1d', quote: null },
  ]);
  for (const text of ['1d', '1d,1h', '1d/EUR', '1h/BTC,1d/EUR']) assert.match(text, KEPT_LISTINGS_PATTERN);
  for (const text of ['1mo', '1d/', '1d/EUR/USD', '1d, 1h', '1d/E R', 'EUR', '1d,']) {
    assert.doesNotMatch(text, KEPT_LISTINGS_PATTERN);
  }
});

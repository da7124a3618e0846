import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { where } from './expression.ts';
import { queryString } from './query-string.ts';

describe('a query string', () => {
  for (const [query, text] of [
    [{}, ''],
    [{ limit: 5, meta: true, price: '10:100' }, '?limit=5&meta=true&price=10:100'],
    [{ symbol: ['BTC', 'ETH'], excl_cols: 'a,b' }, '?symbol=BTC&symbol=ETH&excl_cols=a,b'],
    [{ tag: undefined, q: null, type: [] }, ''],
    [{ where: where`price > ${1}` }, '?where=price%20%3E%201'],
    [{ calc: { a: 'sma50/sma200', b: where`a + 1` } }, '?calc=a:sma50%2Fsma200&calc=b:a%20%2B%201'],
    [{ q: 'a&b=c#d' }, '?q=a%26b%3Dc%23d'],
  ] as const) {
    it(text === '' ? `is empty for ${JSON.stringify(query)}` : text, () => assert.equal(queryString(query), text));
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOGGED_NAMES } from '../../api/logged-names.ts';
import { newApiKey } from '../../domain/api-key.ts';
import { loggableUrl } from './loggable-url.ts';

const KEY = newApiKey();
const encodedLetters = (text: string) => [...text].map(c => `%${c.charCodeAt(0).toString(16)}`).join('');

describe('an address in the log', () => {
  for (const [url, path, query] of [
    ['/v1/crypto/ta-cur', '/v1/crypto/ta-cur', ''],
    ['/v1/coins/btc-bitcoin?', '/v1/coins/btc-bitcoin', ''],
    ['/x?limit=5&sort=price&order=asc', '/x', 'limit=5&sort=price&order=asc'],
    ['/x?price=10:100&[price]=:5&range=price:1:2', '/x', 'price=10:100&[price]=:5&range=price:1:2'],
    ['/x?[sma50]>:[sma200]&[sma50]>=:[sma200]', '/x', '[sma50]>:[sma200]&[sma50]>=:[sma200]'],
    ['/x?%5Bsma50%5D%3E%3A%5Bsma200%5D&not_null', '/x', '[sma50]>:[sma200]&not_null'],
    ['/x?excl_cols=datetimeUTC,symbol', '/x', 'excl_cols=datetimeUTC,symbol'],
    ['/x?limt=5&token=abc', '/x', 'limt=***&token=***'],
    ['/x?abc', '/x', '***'],
    ['/x?limit=%zz', '/x', '***'],
    ['/%zz', '***', ''],
  ] as const) {
    it(`${url} is ${path} ${query}`, () => assert.deepEqual(loggableUrl(url, LOGGED_NAMES), { path, query }));
  }

  for (const url of [
    `/x?api_key=${KEY}`,
    `/x?%61pi_key=${KEY}`,
    `/x?api%5Fkey=${KEY}`,
    `/x?api_key=${encodedLetters(KEY)}`,
    `/x?api_key=a&api_key=${KEY}`,
    `/x?API_KEY=${KEY}`,
    `/x?key=${KEY}`,
    `/x?symbol=${KEY}`,
    `/x?symbol=BTC,${KEY.slice(4)}`,
    `/x?q=${encodedLetters(encodedLetters(KEY))}`,
    `/x?${KEY}`,
    `/x?${KEY}=1`,
    `/x?[${KEY}]=1`,
    `/x?limit=1?api_key=${KEY}`,
    `/x?price=1&&;api_key=${KEY}`,
    `/x?comparison=[sma50]>:[${KEY}]`,
    `/v1/coins/${KEY}`,
    `/v1/coins/${encodedLetters(KEY)}`,
    `/${KEY}/x`,
    `/${KEY.slice(0, 30)}`,
  ]) {
    it(`holds no key: ${url.replaceAll(KEY, 'KEY').slice(0, 40)}`, () => {
      const text = JSON.stringify(loggableUrl(url, LOGGED_NAMES));
      for (let i = 0; i + 12 <= KEY.length; i++) assert.ok(!text.includes(KEY.slice(i, i + 12)), text);
    });
  }

  it('is not longer than a line should be', () => {
    const { path, query } = loggableUrl(`/${'a b'.repeat(5000)}?symbol=${'A,'.repeat(8000)}`, LOGGED_NAMES);
    assert.ok(path.length < 1100 && query.length < 1100);
  });
});

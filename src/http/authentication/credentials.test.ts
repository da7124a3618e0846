import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../errors.ts';
import { apiKeyOf } from './credentials.ts';

describe('the key of a request', () => {
  for (const [way, headers, url] of [
    ['Authorization: Bearer', { authorization: 'Bearer K1' }, '/'],
    ['Authorization: Token', { authorization: 'token  K1 ' }, '/'],
    ['X-API-Key', { 'x-api-key': ' K1' }, '/'],
    ['api_key', {}, '/v1/crypto/ta-cur?limit=5&api_key=K1&page=2'],
    ['api_key, percent-encoded', {}, '/x?api_key=%4B1'],
    ['api_key with an encoded name', {}, '/x?limit=1&api%5Fkey=K1'],
    ['x-cg-demo-api-key', { 'x-cg-demo-api-key': 'K1' }, '/'],
    ['x-cg-pro-api-key', { 'x-cg-pro-api-key': 'K1' }, '/'],
    ['x_cg_demo_api_key', {}, '/x?x_cg_demo_api_key=K1'],
    ['x_cg_pro_api_key', {}, '/x?ids=a&x_cg_pro_api_key=K1'],
    ['X-API-Key, sent twice', { 'x-api-key': 'K1, K1' }, '/'],
    ['the same key in several ways', { authorization: 'Bearer K1', 'x-api-key': 'K1' }, '/x?api_key=K1'],
  ] as const) {
    it(`comes by ${way}`, () => assert.equal(apiKeyOf(headers, url), 'K1'));
  }

  it('comes by Authorization alone, as CoinPaprika clients send theirs', () => {
    assert.equal(apiKeyOf({ authorization: 'tdm_abc' }, '/'), 'tdm_abc');
  });

  it('may be missing', () => {
    assert.equal(apiKeyOf({}, '/x?limit=5'), null);
    assert.equal(apiKeyOf({ 'x-api-key': ' ' }, '/x?api_key='), null);
    assert.equal(apiKeyOf({}, '/x?my_api_key=K1'), null);
  });

  for (const [what, headers, url, code] of [
    ['two different keys', { authorization: 'Bearer K1', 'x-api-key': 'K2' }, '/', 'conflicting_keys'],
    ['a different one of CoinGecko', { 'x-cg-demo-api-key': 'K1', 'x-api-key': 'K2' }, '/', 'conflicting_keys'],
    ['two different parameters', {}, '/x?api_key=K1&api_key=K2', 'conflicting_keys'],
    ['a different one under an encoded name', { 'x-api-key': 'K1' }, '/x?api%5Fkey=K2', 'conflicting_keys'],
    ['two different X-API-Key headers', { 'x-api-key': 'K1, K2' }, '/', 'conflicting_keys'],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }, '/', 'bad_authorization'],
    ['no key behind the scheme', { authorization: 'Bearer' }, '/', 'bad_authorization'],
    ['words behind the key', { authorization: 'Bearer K1 K2' }, '/', 'bad_authorization'],
  ] as const) {
    it(`is an error with ${what}, which does not repeat the key`, () => {
      const error = apiKeyOf(headers, url);
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, code);
      assert.doesNotMatch(JSON.stringify(error) + error.message + error.hint, /K1|K2|dXNlcjpwYXNz/);
    });
  }
});

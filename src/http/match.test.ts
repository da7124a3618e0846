import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { ApiError } from '../errors.ts';
import { matchRoute, splitUrl } from './match.ts';
import { Routes } from './routes.ts';

const NONE = new Routes([]);
const MISSING = new ApiError('not_found', 'There is nothing.');

describe('a request without a route', () => {
  for (const [name, method, headers] of [
    ['an unknown path', 'GET', { host: 'a' }],
    ['a preflight', 'OPTIONS', { host: 'a' }],
    ['a method that is not allowed', 'DELETE', { host: 'a' }],
  ] as const) {
    it(`waits for its turn like any other, and needs no API key: ${name}`, () => {
      const request = { method, headers, httpVersion: '1.1', url: '/x' } as unknown as IncomingMessage; // what a match reads
      const { urgent, needsApiKey } = matchRoute(NONE, request, '/x', () => ({ error: MISSING, form: null }));
      assert.deepEqual({ urgent, needsApiKey }, { urgent: false, needsApiKey: false });
    });
  }
});

describe('the path and the query string', () => {
  for (const [url, path, query] of [
    ['/v1/catalog?a=/b?c', '/v1/catalog', 'a=/b?c'],
    ['http://example.test/healthz', '/healthz', ''],
    ['HTTPS://example.test:8080?a=1', '/', 'a=1'],
    ['http://example.test', '/', ''],
    ['*', '*', ''],
  ] as const) {
    it(`of ${url}`, () => assert.deepEqual(splitUrl({ url }), [path, query]));
  }
});

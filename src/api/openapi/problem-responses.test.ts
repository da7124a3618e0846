import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENDPOINTS } from '../endpoints.ts';
import type { JsonObject } from '../json-schema.ts';
import { problemResponses } from './problem-responses.ts';

describe('documented errors', () => {
  for (const endpoint of ENDPOINTS.filter(({ needsApiKey, method }) => needsApiKey && method === 'get')) {
    it(`of ${endpoint.id} have the headers of the rate limit`, () => {
      const { default: _, ...own } = problemResponses(endpoint);
      const headersOf = (response: unknown) => Object.keys((response as { headers: JsonObject }).headers); // as OpenAPI has them
      for (const [status, response] of Object.entries(own)) {
        for (const name of ['RateLimit-Policy', 'RateLimit']) assert.ok(headersOf(response).includes(name), status);
      }
      assert.ok(Object.keys(own).length > 0);
    });
  }
});

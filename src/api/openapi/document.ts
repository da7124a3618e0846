// The OpenAPI 3.1 document, from the declarations of the endpoints.

import { type Endpoint, TAGS } from '../endpoint.ts';
import type { JsonObject } from '../json-schema.ts';
import { operation, parameterComponents } from './operation.ts';
import { problemSchema } from './problem-responses.ts';
import { headerComponents } from './response-headers.ts';

/** `publicUrl` is the base URL that clients use; null: the server that the document came from. */
export function openApiDocument(endpoints: readonly Endpoint[], group: string, publicUrl: string | null): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: 'v1',
      summary: 'Market data for digital assets: technical indicators and asset profiles.',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    // The empty one: with `--open` no API key is needed.
    security: [{}, { keyHeader: [] }],
    paths: paths(endpoints, group),
    components: {
      schemas: { ...Object.assign({}, ...endpoints.map(each => each.schemas ?? {})), Problem: problemSchema() },
      parameters: parameterComponents(),
      headers: headerComponents(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const ABOUT = [
  'Read-only: `GET`, `HEAD` and `OPTIONS`, and `POST` on `/mcp` alone; pages of any origin may read the responses, except of `/mcp`.',
  'An unknown parameter is an error, so that a misspelt filter never returns unfiltered rows.',
  '`v1` only grows: new parameters, new paths, new headers.',
].join(' ');

/** One scheme only: some client generators send the API key in every scheme that they find, and so in the URL too. */
const SECURITY_SCHEMES = {
  keyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The API key. `Authorization: Bearer KEY` and the parameter `api_key=KEY` are accepted as well.',
  },
} as const;

/** The operations by path and method. */
export function paths(endpoints: readonly Endpoint[], group: string): JsonObject {
  const named = endpoints.map(each => [each.path.replace('{group}', group), { [each.method]: operation(each) }]);
  return Object.fromEntries(named);
}

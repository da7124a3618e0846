// Response headers in the document.

import { RESPONSE_HEADERS, type ResponseHeader } from '../../http/wire/headers.ts';
import { type JsonObject, ref } from '../json-schema.ts';

/** On every response; `X-Tidemark-Simulated` on the demo only. */
const EVERYWHERE: readonly ResponseHeader[] = [
  'X-Request-Id',
  'X-Tidemark-Simulated',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
];

/** Only in the response to `OPTIONS`, which is not an operation of the document. */
export const PREFLIGHT_HEADERS: readonly ResponseHeader[] = [
  'Allow',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Max-Age',
];

/** The headers of a response: these, and those of every response. */
export function headersOf(names: readonly ResponseHeader[]): JsonObject {
  return Object.fromEntries([...EVERYWHERE, ...names].map(name => [name, ref('headers', name)]));
}

export function headerComponents(): JsonObject {
  const documented = Object.entries(RESPONSE_HEADERS).filter(([name]) => !isPreflightOnly(name));
  return Object.fromEntries(
    documented.map(([name, { doc, example }]) => [name, { description: doc, schema: { type: 'string' }, example }]),
  );
}

function isPreflightOnly(name: string): boolean {
  return name !== 'Allow' && PREFLIGHT_HEADERS.some(header => header === name);
}

// The service itself: status, documentation and the pages of the explorer. None of them takes an API key.

import type { ResponseHeader } from '../../wire/headers.ts';
import { problemExample } from '../examples.ts';
import type { JsonObject } from '../json-schema.ts';
import { problemResponses } from '../problem-responses.ts';
import { headersOf } from '../response-headers.ts';
import { CONDITIONAL, requestHeaders, unchanged } from './parts.ts';

/** Operations without an API key. */
const KEYLESS = { security: [] };

const OF_PAGES: readonly ResponseHeader[] = [
  'Content-Security-Policy',
  'Referrer-Policy',
  'Cross-Origin-Opener-Policy',
];

export const HTML_PAGE: JsonObject = {
  description: 'The page.',
  headers: headersOf([...CONDITIONAL, 'Content-Encoding', ...OF_PAGES]),
  content: { 'text/html': { schema: { type: 'string' } } },
};

export function textAnswer(mediaType: string): JsonObject {
  const content = { [mediaType]: { schema: { type: 'string' } } };
  return { description: 'The text.', headers: headersOf([...CONDITIONAL, 'Content-Encoding']), content };
}

export const UNCHANGED_PAGE = unchanged(OF_PAGES);
export const EXPLORER: JsonObject = { 200: HTML_PAGE, 304: UNCHANGED_PAGE };

export function service(
  operationId: string,
  summary: string,
  responses: JsonObject,
  parameters: readonly JsonObject[] = [],
): JsonObject {
  const problems = problemResponses('service', code => problemExample(operationId, code));
  return {
    get: {
      operationId,
      tags: ['Service'],
      summary,
      ...KEYLESS,
      parameters: [
        ...parameters,
        ...requestHeaders(...('304' in responses ? (['If-None-Match'] as const) : []), 'X-Request-Id'),
      ],
      responses: { ...problems, ...responses },
    },
  };
}

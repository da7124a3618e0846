// Responses that several endpoints have, as OpenAPI describes them.

import type { ErrorCode } from '../errors.ts';
import type { ResponseHeader } from '../http/wire/headers.ts';
import type { ResponseFacts } from './endpoint.ts';
import { type JsonObject, ref } from './json-schema.ts';

const CONDITIONAL: readonly ResponseHeader[] = ['ETag', 'Cache-Control', 'Vary'];
/** On responses with data. */
export const OF_DATA: readonly ResponseHeader[] = ['X-Data-Age', 'X-Data-Version'];
const OF_PAGES: readonly ResponseHeader[] = [
  'Content-Security-Policy',
  'Referrer-Policy',
  'Cross-Origin-Opener-Policy',
];

/** A response with an ETag, and the one without a body for a client that has it. `always`: headers of both; `own`: of the first. */
export function conditional(
  description: string,
  content: NonNullable<ResponseFacts['content']>,
  always: readonly ResponseHeader[],
  own: readonly ResponseHeader[] = ['Content-Encoding'],
): Readonly<Record<200 | 304, ResponseFacts>> {
  return {
    200: { description, headers: [...CONDITIONAL, ...always, ...own], content },
    304: {
      description: 'The response that `If-None-Match` names is still current.',
      headers: [...CONDITIONAL, ...always],
    },
  };
}

/** One JSON object with data, whose schema has this name. */
export function record(description: string, schema: string): Readonly<Record<number, ResponseFacts>> {
  return conditional(description, json(ref('schemas', schema)), OF_DATA);
}

/** The codes of an endpoint that answers with one record of assets. */
export const RECORD_ERRORS: readonly ErrorCode[] = [
  'duplicate_parameter',
  'bad_encoding',
  'bad_path',
  'unknown_asset',
  'ambiguous_symbol',
];

export function json(schema: JsonObject): NonNullable<ResponseFacts['content']> {
  return { 'application/json': { schema } };
}

/** A text that is the same for every client. */
export function text(mediaType: string): Readonly<Record<number, ResponseFacts>> {
  return conditional('The text.', { [mediaType]: { schema: { type: 'string' } } }, []);
}

export const PAGE: Readonly<Record<number, ResponseFacts>> = conditional(
  'The page.',
  { 'text/html': { schema: { type: 'string' } } },
  OF_PAGES,
);

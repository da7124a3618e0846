// What the operations are made of: headers, parameters, and responses that several of them have.

import { REQUEST_HEADERS, type RequestHeader, type ResponseHeader } from '../../wire/headers.ts';
import { answerExamples } from '../examples.ts';
import { type JsonObject, ref } from '../json-schema.ts';
import { headersOf } from '../response-headers.ts';

export const CONDITIONAL: readonly ResponseHeader[] = ['ETag', 'Cache-Control', 'Vary'];
/** On responses with data. */
export const OF_DATA: readonly ResponseHeader[] = ['X-Data-Age', 'X-Data-Version'];

export function jsonAnswer(
  operationId: string,
  description: string,
  schema: JsonObject,
  headers: readonly ResponseHeader[],
): JsonObject {
  const content = { 'application/json': { schema, ...answerExamples(operationId, 'application/json') } };
  return { description, headers: headersOf(headers), content };
}

export function unchanged(headers: readonly ResponseHeader[]): JsonObject {
  return {
    description: 'The response that `If-None-Match` names is still current.',
    headers: headersOf([...CONDITIONAL, ...headers]),
  };
}

/** Without those for API keys, which are security schemes. */
const PARAMETER_HEADERS = [
  'Range',
  'If-Range',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
] as const satisfies readonly RequestHeader[];

export function requestHeaders(...names: (typeof PARAMETER_HEADERS)[number][]): JsonObject[] {
  return names.map(name => ref('parameters', name));
}

export function parameterComponents(): JsonObject {
  const headers = PARAMETER_HEADERS.map(name => {
    // Without an example: "Try it out" would send it.
    const { doc } = REQUEST_HEADERS[name];
    return [name, { name, in: 'header', description: doc, schema: { type: 'string' } }];
  });
  return { AssetId: pathParameter('id', 'Id of the asset, or its ticker.'), ...Object.fromEntries(headers) };
}

export function pathParameter(name: string, description: string, schema: JsonObject = { type: 'string' }): JsonObject {
  return { name, in: 'path', required: true, description, schema };
}

export function queryParameter(name: string, description: string, schema: JsonObject = { type: 'string' }): JsonObject {
  return { name, in: 'query', description, schema };
}

// The OpenAPI operation of an endpoint, from its declaration.

import { REQUEST_HEADERS, type RequestHeader } from '../../http/wire/headers.ts';
import type { Endpoint, ResponseFacts } from '../endpoint.ts';
import { type JsonObject, pathParameter, ref } from '../json-schema.ts';
import { answerExamples } from './examples.ts';
import { KEYED_HEADERS, problemResponses } from './problem-responses.ts';
import { headersOf } from './response-headers.ts';

export function operation(endpoint: Endpoint): JsonObject {
  const { id, tag, summary, description, needsApiKey, pathParameters = [], parameters, requestBody } = endpoint;
  const { requestHeaders = [], response } = endpoint;
  const read: readonly RequestHeader[] = [
    ...requestHeaders,
    ...(304 in response ? (['If-None-Match'] as const) : []),
    'X-Request-Id',
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(needsApiKey ? {} : { security: [] }),
    parameters: [...pathParameters, ...parameters, ...read.map(name => ref('parameters', name))],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responses(endpoint),
  };
}

function responses(endpoint: Endpoint): JsonObject {
  const problems = problemResponses(endpoint);
  const own = Object.entries(endpoint.response).map(([status, facts]) => [
    status,
    { ...Object(problems[status]), ...described(endpoint, status, facts) },
  ]);
  return { ...problems, ...Object.fromEntries(own) };
}

function described(
  { id, needsApiKey }: Endpoint,
  status: string,
  { description, headers, content }: ResponseFacts,
): JsonObject {
  const keyed = needsApiKey ? KEYED_HEADERS : [];
  const bodies = Object.entries(content ?? {}).map(([mediaType, { schema }]) => [
    mediaType,
    { schema, ...(status === '200' ? answerExamples(id, mediaType) : {}) },
  ]);
  return {
    ...(description === undefined ? {} : { description }),
    ...(headers === undefined ? {} : { headers: headersOf([...headers, ...keyed]) }),
    ...(content === undefined ? {} : { content: Object.fromEntries(bodies) }),
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

export function parameterComponents(): JsonObject {
  const headers = PARAMETER_HEADERS.map(name => {
    // Without an example: "Try it out" would send it.
    const { doc } = REQUEST_HEADERS[name];
    return [name, { name, in: 'header', description: doc, schema: { type: 'string' } }];
  });
  return { AssetId: pathParameter('id', 'Id of the asset, or its ticker.'), ...Object.fromEntries(headers) };
}

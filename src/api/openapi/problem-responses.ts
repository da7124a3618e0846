// Errors in the document: the schema of a problem, and the statuses and codes of each operation.

import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { ResponseHeader } from '../../http/wire/headers.ts';
import { problemUri } from '../../http/wire/problem.ts';
import type { Endpoint, ErrorForm } from '../endpoint.ts';
import { exactly, type JsonObject, ref } from '../json-schema.ts';
import { clockSchema } from './column-schemas.ts';
import { problemExample } from './examples.ts';
import { headersOf } from './response-headers.ts';

/** What can happen to any request, whatever its path and method, also if there is no such operation. */
const ANY_REQUEST: readonly ErrorCode[] = [
  'bad_path',
  'bad_request',
  'not_found',
  'unknown_version',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal',
];
/** Their responses do not state the limits of an API key. */
const WITHOUT_LIMITS: readonly ErrorCode[] = ['foreign_origin', 'body_too_large'];

const CODES = Object.keys(ERRORS) as ErrorCode[];
const STATUSES = [...new Set(CODES.map(code => ERRORS[code].status))].sort((a, b) => a - b);
const HEADERS_OF_STATUS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  416: ['Content-Range', 'Link'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
/** On every response to a request with an API key, good or bad. */
export const KEYED_HEADERS: readonly ResponseHeader[] = ['RateLimit-Policy', 'RateLimit'];

export function problemSchema(): JsonObject {
  const schema = exactly(
    {
      error: { type: 'boolean', const: true, description: 'True: the request failed.' },
      type: {
        type: 'string',
        format: 'uri-reference',
        enum: CODES.map(problemUri),
        description: 'Where the code is explained, relative to the service.',
      },
      title: { type: 'string', description: 'The kind of error, the same for every occurrence.' },
      status: { type: 'integer', enum: STATUSES, description: 'The HTTP status.' },
      code: { type: 'string', enum: CODES, description: 'The kind of error, for programs. Never renamed.' },
      detail: { type: 'string', description: 'What was wrong with this request, for people.' },
      param: { type: 'string', description: 'The wrong parameter.' },
      position: {
        type: 'integer',
        minimum: 0,
        description: 'For expressions: the position in the value of that parameter, in characters from 0.',
      },
      hint: { type: 'string', description: 'How to correct the request.' },
      candidates: {
        type: 'array',
        items: { type: 'string' },
        description: 'What the request may have meant.',
      },
      request_id: { type: 'string', description: 'The id of the request, also in the header `X-Request-Id`.' },
      datetimeUTC: clockSchema('Time of the response, UTC.'),
    },
    ['param', 'position', 'hint', 'candidates'],
  );
  return { ...schema, description: 'An error (RFC 9457).' };
}

/** One response per status of the endpoint's own codes; `default` covers what can happen to any request. */
export function problemResponses({
  id,
  errors,
  method,
  errorForm,
}: Pick<Endpoint, 'id' | 'errors' | 'method' | 'errorForm'>): JsonObject {
  const statusOf = errorForm?.statusOf ?? (code => ERRORS[code].status);
  const own = Map.groupBy(inOrder(errors), statusOf);
  if (errorForm !== undefined) return otherForm(errorForm, own);
  const isRpc = method === 'post';
  const byStatus = [...own].map(([status, codes]) => [
    String(status),
    response(id, codes, isRpc ? ['rpc'] : ['problem']),
  ]);
  // Bytes that are not a whole request are no message either.
  const other = response(id, ANY_REQUEST, isRpc ? ['rpc', 'problem'] : ['problem']);
  return { ...Object.fromEntries(byStatus), default: other };
}

/** Errors of which no program reads a code of ours. */
function otherForm({ schema, statusOf }: ErrorForm, own: ReadonlyMap<number, ErrorCode[]>): JsonObject {
  const form = { 'application/json': { schema } };
  const described = (codes: readonly ErrorCode[], content: JsonObject) => {
    const headers = [...new Set(codes.map(statusOf))].flatMap(status => HEADERS_OF_STATUS[status] ?? []);
    return {
      description: codes.map(code => `- ${ERRORS[code].doc}`).join('\n'),
      headers: headersOf(['Cache-Control', ...headers, ...KEYED_HEADERS]),
      content,
    };
  };
  const byStatus = [...own].map(([status, codes]) => [String(status), described(codes, form)]);
  // A request without a route gets a problem.
  const problem = { 'application/problem+json': { schema: ref('schemas', 'Problem') } };
  return { ...Object.fromEntries(byStatus), default: described(ANY_REQUEST, { ...form, ...problem }) };
}

function inOrder(codes: readonly ErrorCode[]): ErrorCode[] {
  return CODES.filter(code => codes.includes(code));
}

/** A problem, or a response of JSON-RPC with the problem as `data` of its error. */
type Form = 'problem' | 'rpc';

function rpcError(problem: JsonObject): JsonObject {
  const error = exactly({ code: { type: 'integer' }, message: { type: 'string' }, data: problem });
  return exactly({ jsonrpc: { const: '2.0' }, id: { type: 'null' }, error });
}

function response(id: string, codes: readonly ErrorCode[], forms: readonly Form[]): JsonObject {
  const statuses = [...new Set(codes.map(code => ERRORS[code].status))];
  const shown = codes.flatMap(code => {
    const value = problemExample(id, code);
    return value === null ? [] : [[code, { summary: ERRORS[code].title, value }]];
  });
  const keyed = codes.some(code => !WITHOUT_LIMITS.includes(code));
  const headers = [...statuses.flatMap(status => HEADERS_OF_STATUS[status] ?? []), ...(keyed ? KEYED_HEADERS : [])];
  const problem = {
    type: 'object',
    allOf: [ref('schemas', 'Problem')],
    properties: { status: { enum: statuses }, code: { enum: codes } },
  };
  const problemBody = { schema: problem, ...(shown.length > 0 ? { examples: Object.fromEntries(shown) } : {}) };
  return {
    description: codes.map(code => `- \`${code}\`: ${ERRORS[code].doc}`).join('\n'),
    headers: headersOf(['Cache-Control', ...headers]),
    content: {
      ...(forms.includes('rpc') ? { 'application/json': { schema: rpcError(problem) } } : {}),
      ...(forms.includes('problem') ? { 'application/problem+json': problemBody } : {}),
    },
  };
}

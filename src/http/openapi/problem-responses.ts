// Errors in the document: the schema of a problem, and the statuses and codes of each operation.

import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { ResponseHeader } from '../wire/headers.ts';
import { problemUri } from '../wire/problem.ts';
import { clockSchema } from './column-schemas.ts';
import { exactly, type JsonObject, ref } from './json-schema.ts';
import { headersOf } from './response-headers.ts';

/** `one-asset` is a listing of one asset's days. */
type OperationKind =
  | 'listing'
  | 'one-asset'
  | 'streamed-listing'
  | 'profile'
  | 'explanation'
  | 'closes'
  | 'alerts'
  | 'export'
  | 'stream'
  | 'tools'
  | 'service';

/** Where a code can occur. `any request`: whatever its path and method, also if there is no such operation. */
type Place = OperationKind | 'any request';

/** The operations that require an API key. */
const WITH_API_KEY: readonly Place[] = ['listing', 'profile', 'alerts', 'export', 'stream', 'tools'];

/** A code without an entry here does not compile. */
const PLACES: Readonly<Record<ErrorCode, readonly Place[]>> = {
  unknown_parameter: ['listing', 'profile', 'alerts', 'export', 'stream'],
  duplicate_parameter: ['listing', 'profile'],
  missing_parameter: ['one-asset', 'closes'],
  conflicting_parameters: ['one-asset', 'streamed-listing'],
  bad_encoding: ['listing', 'profile'],
  query_too_long: ['listing'],
  too_many_filters: ['listing'],
  invalid_value: ['listing', 'explanation', 'closes'],
  unknown_column: ['listing', 'explanation'],
  column_not_numeric: ['listing'],
  invalid_range: ['listing'],
  invalid_comparison: ['listing'],
  invalid_expression: ['listing'],
  expression_too_large: ['listing'],
  invalid_calc_name: ['listing'],
  no_past_values: ['listing'],
  limit_above_tier: ['listing'],
  bad_path: ['profile', 'export', 'any request'],
  bad_request: ['listing', 'profile', 'alerts', 'export', 'stream', 'tools', 'service', 'any request'],
  missing_key: WITH_API_KEY,
  bad_authorization: WITH_API_KEY,
  mistyped_key: WITH_API_KEY,
  unknown_key: WITH_API_KEY,
  revoked_key: WITH_API_KEY,
  expired_key: WITH_API_KEY,
  conflicting_keys: WITH_API_KEY,
  rate_limited: WITH_API_KEY,
  too_many_at_once: WITH_API_KEY,
  quota_exceeded: WITH_API_KEY,
  too_many_bad_keys: WITH_API_KEY,
  bad_signature: ['export'],
  not_in_tier: ['alerts', 'export'],
  too_many_streams: ['stream', 'streamed-listing'],
  not_found: ['export', 'any request'],
  unknown_asset: ['one-asset', 'profile'],
  no_close: ['explanation'],
  export_gone: ['export'],
  precondition_failed: ['export'],
  range_needs_version: ['export'],
  range_not_satisfiable: ['export'],
  unknown_version: ['any request'],
  method_not_allowed: ['any request'],
  foreign_origin: ['tools'],
  body_too_large: ['tools'],
  request_timeout: ['any request'],
  ambiguous_symbol: ['one-asset', 'profile'],
  headers_too_large: ['any request'],
  internal: ['any request'],
  overloaded: WITH_API_KEY,
  store_unavailable: ['listing', 'profile', 'alerts', 'export', 'stream'],
  export_failed: ['export'],
  export_pending: ['export'],
  columns_pending: ['listing', 'stream'],
  no_data: ['listing', 'profile', 'alerts', 'export', 'stream'],
};

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

/** One response per status of the operation's own codes; `default` covers what can happen to any request. */
export function problemResponses(kind: OperationKind, examples: (code: ErrorCode) => JsonObject | null): JsonObject {
  const own = Map.groupBy(codesAt(kind), code => ERRORS[code].status);
  const isRpc = kind === 'tools';
  const byStatus = [...own].map(([status, codes]) => [
    String(status),
    response(codes, examples, isRpc ? ['rpc'] : ['problem']),
  ]);
  // Bytes that are not a whole request are no message either.
  const other = response(codesAt('any request'), examples, isRpc ? ['rpc', 'problem'] : ['problem']);
  return { ...Object.fromEntries(byStatus), default: other };
}

/** A problem, or a response of JSON-RPC with the problem as `data` of its error. */
type Form = 'problem' | 'rpc';

function rpcError(problem: JsonObject): JsonObject {
  const error = exactly({ code: { type: 'integer' }, message: { type: 'string' }, data: problem });
  return exactly({ jsonrpc: { const: '2.0' }, id: { type: 'null' }, error });
}

/** Special listings have the errors of every listing, explanations and closes those of a profile; each has its own. */
const ALSO: Readonly<Partial<Record<Place, Place>>> = {
  'one-asset': 'listing',
  'streamed-listing': 'listing',
  explanation: 'profile',
  closes: 'profile',
};

function codesAt(place: Place): ErrorCode[] {
  const places: readonly Place[] = place in ALSO ? [ALSO[place]!, place] : [place];
  return CODES.filter(code => PLACES[code].some(each => places.includes(each)));
}

function response(
  codes: readonly ErrorCode[],
  examples: (code: ErrorCode) => JsonObject | null,
  forms: readonly Form[],
): JsonObject {
  const statuses = [...new Set(codes.map(code => ERRORS[code].status))];
  const shown = codes.flatMap(code => {
    const value = examples(code);
    return value === null ? [] : [[code, { summary: ERRORS[code].title, value }]];
  });
  const keyed = codes.some(code =>
    PLACES[code].some(place => place === 'listing' || place === 'profile' || place === 'export'),
  );
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

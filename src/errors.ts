// The one table of errors that a client can get. A code is never reused for another mistake, and never renamed.

import { withoutKeys } from './domain/api-key.ts';

interface ErrorFacts {
  readonly status: number;
  /** The kind of mistake, the same for every occurrence. */
  readonly title: string;
  /** When it occurs and what to do about it, for the reference. */
  readonly doc: string;
}

export const ERRORS = {
  unknown_parameter: {
    status: 400,
    title: 'Unknown parameter',
    doc: 'The query string has a parameter that this listing does not know. The hint names the nearest known one. It is an error so that a misspelt filter never returns unfiltered rows.',
  },
  duplicate_parameter: {
    status: 400,
    title: 'Parameter given twice',
    doc: 'A parameter that takes one value was given more than once. Only filters can be repeated.',
  },
  missing_parameter: {
    status: 400,
    title: 'Parameter missing',
    doc: 'The listing is of one asset, and the request does not say of which. Name it by `symbol` or `id`.',
  },
  conflicting_parameters: {
    status: 400,
    title: 'Parameters exclude each other',
    doc: 'The request has two parameters of which only one can hold, such as `symbol` and `id`. Leave one out.',
  },
  bad_encoding: {
    status: 400,
    title: 'Broken encoding',
    doc: 'A parameter holds an incomplete percent-encoding, bytes that are not UTF-8, or a NUL character.',
  },
  query_too_long: {
    status: 414,
    title: 'Query string too long',
    doc: 'The query string is longer than 6,000 characters, or would be in the links of the answer, which percent-encode it.',
  },
  too_many_filters: {
    status: 400,
    title: 'Too many filters',
    doc: 'The request has more ranges, comparisons and not-null columns than the service evaluates at once.',
  },
  invalid_value: {
    status: 400,
    title: 'Invalid value',
    doc: 'The value is none that the parameter takes. The hint says what it takes.',
  },
  unknown_column: {
    status: 400,
    title: 'Unknown column',
    doc: 'A value names a column that the listing does not have. Names are matched exactly; the hint has the nearest one.',
  },
  column_not_numeric: {
    status: 400,
    title: 'Column is not numeric',
    doc: 'A range or a comparison names a text, a time or a flag. Both work on numbers only.',
  },
  invalid_range: {
    status: 400,
    title: 'Invalid range',
    doc: 'A range is not `low:high`, `low:`, `:high` or one number, or its low end is above its high end, or `from` is after `to`. Numbers are written as in JSON.',
  },
  invalid_comparison: {
    status: 400,
    title: 'Invalid comparison',
    doc: 'A comparison is not a column, an operator, a colon and a column, such as `[sma50]>:[sma200]`.',
  },
  invalid_expression: {
    status: 400,
    title: 'Invalid expression',
    doc: 'The expression in `where` or `calc` cannot be read, or its types do not fit. `position` is the place in the value of `param`, counted in characters from 0; `detail` says what was expected there.',
  },
  expression_too_large: {
    status: 400,
    title: 'Expression too large',
    doc: 'An expression has more than 2,000 characters or nests too deeply, or the request has more than 200 operators or 8 `calc` columns.',
  },
  invalid_calc_name: {
    status: 400,
    title: 'Invalid name of a calc column',
    doc: 'A `calc` is not `name:expression`, or its name is already a column, a parameter or a word of the language, or is not a lower-case letter followed by at most 31 lower-case letters, digits and underscores.',
  },
  bad_path: {
    status: 400,
    title: 'Malformed path',
    doc: 'The path holds an incomplete percent-encoding or bytes that are not UTF-8.',
  },
  bad_request: {
    status: 400,
    title: 'Not an HTTP request',
    doc: 'The bytes that arrived cannot be read as an HTTP request.',
  },
  missing_key: {
    status: 401,
    title: 'No key',
    doc: 'The path needs an API key, and the request brings none.',
  },
  bad_authorization: {
    status: 401,
    title: 'Authorization not understood',
    doc: 'The header `Authorization` is neither `Bearer KEY` nor `Token KEY`.',
  },
  mistyped_key: {
    status: 401,
    title: 'Mistyped key',
    doc: 'What was sent is no key: its form or its checksum is wrong. Copy it once more.',
  },
  unknown_key: {
    status: 401,
    title: 'Unknown key',
    doc: 'The key is well formed, but this service does not know it.',
  },
  revoked_key: {
    status: 401,
    title: 'Revoked key',
    doc: 'The operator has revoked the key.',
  },
  expired_key: {
    status: 401,
    title: 'Expired key',
    doc: 'The last day of the key is over.',
  },
  conflicting_keys: {
    status: 400,
    title: 'Two different keys',
    doc: 'One request brings two different keys, so that nobody could say whose limits apply.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    doc: "The key's requests come faster than its tier allows. `Retry-After` says when the next one is fine.",
  },
  quota_exceeded: {
    status: 429,
    title: 'Daily quota used up',
    doc: 'The key has used up its requests of this UTC day. `Retry-After` is the time to midnight.',
  },
  too_many_bad_keys: {
    status: 429,
    title: 'Too many bad keys',
    doc: 'Many bad keys came from this address. Further ones are told to wait; good ones are heard.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    doc: 'The service has nothing at this path.',
  },
  unknown_asset: {
    status: 404,
    title: 'Unknown asset',
    doc: 'No asset has this id or ticker.',
  },
  unknown_version: {
    status: 404,
    title: 'Unknown version',
    doc: 'The version segment of the path is none that the service offers. The hint names the current one.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    doc: 'The service is read-only: `GET`, `HEAD` and `OPTIONS`. The header `Allow` lists them.',
  },
  request_timeout: {
    status: 408,
    title: 'Request too slow',
    doc: 'The request did not arrive completely in time.',
  },
  ambiguous_symbol: {
    status: 409,
    title: 'Ambiguous ticker',
    doc: 'Several assets have this ticker. Ask with one of the ids in `candidates`.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    doc: 'The request line and the headers together are longer than 32 kB, or there are 1,000 headers or more.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    doc: 'A fault of the service. Its log has the details under the same `request_id`.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    doc: 'Requests arrive faster than the service can answer, and this one was not begun. It cost nothing of the rate or the quota. Ask again after `Retry-After`.',
  },
  store_unavailable: {
    status: 503,
    title: 'Store not available',
    doc: 'The store cannot be read just now, and the answer is not in memory: profiles are not, histories are when they were asked for since the last load, listings as soon as there was data once. The service tries again by itself.',
  },
  no_data: {
    status: 503,
    title: 'No data yet',
    doc: 'The store holds no prices yet. The header `Retry-After` says when to ask again, and `/readyz` says why.',
  },
} as const satisfies Readonly<Record<string, ErrorFacts>>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorContext {
  /** The parameter that is wrong, by the name the client used. */
  readonly param?: string;
  /** The place in the value of that parameter, in characters (UTF-16 code units) from 0. */
  readonly position?: number;
  /** What would be right. */
  readonly hint?: string;
  /** What the client may have meant, to choose from. */
  readonly candidates?: readonly string[];
}

/** An error to answer with. The detail is for people: what was wrong, and where. It never holds a key. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly position: number | undefined;
  readonly hint: string | undefined;
  readonly candidates: readonly string[] | undefined;

  constructor(code: ErrorCode, detail: string, context: ErrorContext = {}) {
    super(detail);
    this.code = code;
    this.param = context.param;
    this.position = context.position;
    this.hint = context.hint;
    this.candidates = context.candidates;
  }

  get detail(): string {
    return this.message;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get title(): string {
    return ERRORS[this.code].title;
  }
}

/** A client's text inside a message: quoted, and short however long it was. */
export function quoted(text: string): string {
  return JSON.stringify(clipped(text));
}

/** The start of a client's text without API keys, for where it must stay short. */
export function clipped(text: string): string {
  const shown = withoutKeys(text);
  return shown.length <= 60 ? shown : `${shown.slice(0, 60).toWellFormed()}…`;
}

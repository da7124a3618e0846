// The table of errors that a client can receive. A code is never renamed and never reused for another error.

import { withoutKeys } from './domain/api-key.ts';

interface ErrorFacts {
  readonly status: number;
  /** The kind of error, the same for every occurrence. */
  readonly title: string;
  /** When it occurs and what to do about it, for the reference. */
  readonly doc: string;
}

export const ERRORS = {
  unknown_parameter: {
    status: 400,
    title: 'Unknown parameter',
    doc: 'The query string has a parameter that the endpoint does not have. The hint names the nearest one. It is an error so that a misspelt filter never returns unfiltered rows.',
  },
  duplicate_parameter: {
    status: 400,
    title: 'Parameter given twice',
    doc: 'A parameter that takes one value was given more than once. Only list parameters and filters can be repeated.',
  },
  missing_parameter: {
    status: 400,
    title: 'Parameter missing',
    doc: 'The endpoint returns the rows of one asset, and the request does not name it. Add `symbol` or `id`.',
  },
  conflicting_parameters: {
    status: 400,
    title: 'Parameters exclude each other',
    doc: 'The request has two parameters that exclude each other, such as `symbol` and `id`. Remove one.',
  },
  bad_encoding: {
    status: 400,
    title: 'Broken encoding',
    doc: 'A parameter contains an incomplete percent-encoding, bytes that are not UTF-8, or a NUL character.',
  },
  query_too_long: {
    status: 414,
    title: 'Query string too long',
    doc: 'The query string is longer than 6,000 characters, possibly after percent-encoding, which the links in the response need.',
  },
  too_many_filters: {
    status: 400,
    title: 'Too many filters',
    doc: 'The request has more than 100 ranges, comparisons and not-null columns.',
  },
  invalid_value: {
    status: 400,
    title: 'Invalid value',
    doc: 'The parameter does not accept this value. The hint says what it accepts.',
  },
  unknown_column: {
    status: 400,
    title: 'Unknown column',
    doc: 'A value names a column that the dataset does not have. Names are case-sensitive; the hint names the nearest one.',
  },
  column_not_numeric: {
    status: 400,
    title: 'Column is not numeric',
    doc: 'A range or a comparison names a text, time or boolean column. Both work on numbers only.',
  },
  invalid_range: {
    status: 400,
    title: 'Invalid range',
    doc: 'A range is not `low:high`, `low:`, `:high` or one number; or its low end is above its high end; or `from` is after `to`. Write numbers as in JSON.',
  },
  invalid_comparison: {
    status: 400,
    title: 'Invalid comparison',
    doc: 'A comparison must be a column, an operator, a colon and a column, such as `[sma50]>:[sma200]`.',
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
  unknown_interval: {
    status: 400,
    title: 'Unknown interval',
    doc: 'The store has no bars of the requested `interval`. `candidates` and `/v1/catalog` have those that it has.',
  },
  no_past_values: {
    status: 400,
    title: 'No past values',
    doc: 'The request has `as_of` or `lag`, and a filter, the sort or an expression uses a column of the group `quality`, which has current values only. Remove `as_of`, or that column.',
  },
  limit_above_tier: {
    status: 400,
    title: 'Limit above the tier',
    doc: "In a file format (CSV, NDJSON, Arrow), `limit` is above the maximum of the API key's tier, and there are more rows than that. It is an error because programs that read files do not see that rows are missing. `candidates` has the maximum. In JSON, `limit` is lowered instead.",
  },
  bad_path: {
    status: 400,
    title: 'Malformed path',
    doc: 'The path contains an incomplete percent-encoding or bytes that are not UTF-8.',
  },
  bad_request: {
    status: 400,
    title: 'Not an HTTP request',
    doc: 'The bytes received are not an HTTP request.',
  },
  missing_key: {
    status: 401,
    title: 'No API key',
    doc: 'The path requires an API key, and the request has none.',
  },
  bad_authorization: {
    status: 401,
    title: 'Authorization not understood',
    doc: 'The `Authorization` header is not `Bearer KEY`, `Token KEY` or the API key alone.',
  },
  mistyped_key: {
    status: 401,
    title: 'Mistyped API key',
    doc: 'The value is not an API key: its form or its checksum is wrong. Copy it again.',
  },
  unknown_key: {
    status: 401,
    title: 'Unknown API key',
    doc: 'The API key is well formed, but this service has no such API key.',
  },
  revoked_key: {
    status: 401,
    title: 'Revoked API key',
    doc: 'The operator has revoked the API key.',
  },
  expired_key: {
    status: 401,
    title: 'Expired API key',
    doc: 'The last day on which the API key was valid has passed.',
  },
  conflicting_keys: {
    status: 400,
    title: 'Two different API keys',
    doc: 'The request has two different API keys, so it is unclear which limits apply. Send one.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    doc: 'The API key sends requests faster than its tier allows. Retry after `Retry-After` seconds.',
  },
  too_many_at_once: {
    status: 429,
    title: 'Too many requests at once',
    doc: 'Too many requests of the API key, or of the address if it has none, wait for their turn in the same thread of the server. Send fewer at once.',
  },
  quota_exceeded: {
    status: 429,
    title: 'Daily quota used up',
    doc: 'The API key has used all its requests of this UTC day. `Retry-After` is the number of seconds until midnight UTC.',
  },
  too_many_bad_keys: {
    status: 429,
    title: 'Too many bad API keys',
    doc: 'This address has sent many invalid API keys and must wait before it sends another. Valid API keys from it still work.',
  },
  bad_signature: {
    status: 401,
    title: 'Invalid signature',
    doc: 'The address has a `signature` that is wrong or more than an hour old. Request the address without a version again, with the API key.',
  },
  not_in_tier: {
    status: 403,
    title: 'Not in the tier',
    doc: 'The tier of the API key does not include exports, whose rows the listings have too, or the list of saved alerts.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many streams',
    doc: 'The API key has as many streams open as its tier allows (without API keys: the address of the client). Close one first.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    doc: 'The service has no endpoint at this path.',
  },
  unknown_asset: {
    status: 404,
    title: 'Unknown asset',
    doc: 'No asset has this id or ticker.',
  },
  no_close: {
    status: 404,
    title: 'No close yet',
    doc: 'The asset has no close on that day or before it, so that there is no number to explain.',
  },
  export_gone: {
    status: 410,
    title: 'File removed',
    doc: 'The server keeps the files of the latest versions only, and this one is older or was never made. The hint names the address of the current one.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    doc: 'The file does not have the `ETag` that `If-Match` names.',
  },
  range_needs_version: {
    status: 416,
    title: 'Range of an address without a version',
    doc: 'The request has `Range`, and its address redirects to another file after each publication: ranges of it could be of different files. Request it once without `Range`, and read the ranges from the address in `Location`. The hint and the header `Link` have it.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    doc: 'The range begins after the end of the file. `Content-Range` states its size.',
  },
  unknown_version: {
    status: 404,
    title: 'Unknown version',
    doc: 'The service does not offer the API version in the path. The hint names the current one.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    doc: 'The service is read-only and accepts `GET`, `HEAD` and `OPTIONS`; `/mcp` accepts `POST` instead of `GET` and `HEAD`. The `Allow` header lists the methods.',
  },
  foreign_origin: {
    status: 403,
    title: 'Foreign origin',
    doc: 'A web page of another origin called `/mcp`, or the request names a host that is not this service. It protects services on a local network from web pages (DNS rebinding). If clients use another name than the one that the server sees, set `--public-url`.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    doc: 'The body of a request to `/mcp` is longer than 64 kB.',
  },
  request_timeout: {
    status: 408,
    title: 'Request too slow',
    doc: 'The complete request did not arrive in time.',
  },
  ambiguous_symbol: {
    status: 409,
    title: 'Ambiguous ticker',
    doc: 'Several assets have this ticker. Use one of the ids in `candidates`.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    doc: 'The request line and the headers together are longer than 32 kB, or there are 1,000 headers or more.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    doc: 'The service failed. Its log has the details under the same `request_id`.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    doc: 'Requests arrive faster than the service can process them, and this one was not started. It does not count against the rate or the quota. Retry after `Retry-After` seconds. With `as_of`: too many different days were requested at the same time.',
  },
  store_unavailable: {
    status: 503,
    title: 'Store unreachable',
    doc: 'The store is unreachable and the response is not in memory. Listings are always in memory, histories if they were requested since the last load, profiles never. The service retries automatically.',
  },
  export_failed: {
    status: 503,
    title: 'Export failed',
    doc: 'The file could not be written, for example because the disk is full or because it would be larger than `--exports-size`. The log of the service has the reason.',
  },
  export_pending: {
    status: 503,
    title: 'File not made yet',
    doc: 'The file is being made, which takes minutes for the history of many assets. Requests wait for it for 20 seconds. Retry after `Retry-After` seconds: it goes on meanwhile.',
  },
  columns_pending: {
    status: 503,
    title: 'Columns not computed yet',
    doc: 'The request needs an optional column. The service first computes these columns when a client asks for one. With many assets this takes minutes; requests wait for it for 20 seconds. Retry after `Retry-After` seconds.',
  },
  no_data: {
    status: 503,
    title: 'No data yet',
    doc: 'The store has no prices yet. Retry after `Retry-After` seconds; `/readyz` states the reason.',
  },
} as const satisfies Readonly<Record<string, ErrorFacts>>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorContext {
  /** The wrong parameter, under the name that the client used. */
  readonly param?: string;
  /** The place in the value of that parameter, in characters (UTF-16 code units) from 0. */
  readonly position?: number;
  /** What would be right. */
  readonly hint?: string;
  /** What stands for the wrong name or value if the hint is right; responses have the hint alone. */
  readonly meant?: string;
  /** What the client may have meant. */
  readonly candidates?: readonly string[];
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response. The detail says what was wrong, and where. It never contains an API key. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly position: number | undefined;
  readonly hint: string | undefined;
  readonly meant: string | undefined;
  readonly candidates: readonly string[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, context: ErrorContext = {}) {
    // It is a response, not a fault of the program: its stack would take longer to record than the response to render.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.param = context.param;
    this.position = context.position;
    this.hint = context.hint;
    this.meant = context.meant;
    this.candidates = context.candidates;
    this.headers = context.headers ?? {};
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

/** The hint for a wrong name: the nearest valid one, or else what is valid. */
export function nearestHint(near: string | null, otherwise: string): Pick<ErrorContext, 'hint' | 'meant'> {
  return near === null ? { hint: otherwise } : { hint: `Did you mean ${near}?`, meant: near };
}

/** A client's text inside a message: quoted, and cut to 60 characters. */
export function quoted(text: string): string {
  return JSON.stringify(clipped(text));
}

/** The start of a client's text without API keys, for where it must stay short. */
export function clipped(text: string): string {
  const shown = withoutKeys(text);
  return shown.length <= 60 ? shown : `${shown.slice(0, 60).toWellFormed()}…`;
}

// The one table of headers: what requests may send and what answers carry. CORS, OpenAPI and the docs read it.

interface HeaderFacts {
  readonly doc: string;
  /** A value that it can have. */
  readonly example: string;
}

interface ResponseHeaderFacts extends HeaderFacts {
  /** A page of another origin may read it. */
  readonly exposed: boolean;
}

export const REQUEST_HEADERS = {
  Authorization: { doc: 'The key: `Bearer KEY` or `Token KEY`.', example: 'Bearer KEY' },
  'X-API-Key': { doc: 'The key, where `Authorization` is taken.', example: 'KEY' },
  'X-Request-Id': {
    doc: 'An id of your own for the request: 1 to 100 letters, digits, `_`, `.`, `:` or `-`. The answer repeats it.',
    example: 'my-request-1',
  },
  'If-None-Match': {
    doc: 'The `ETag` of an answer that you have. When it is still right, the answer is 304 without a body.',
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
} as const satisfies Readonly<Record<string, HeaderFacts>>;

export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    doc: 'The id of the request, by which the operator finds it in the logs: yours, or one made for it.',
    example: 'q3ZsX0aB-1f',
    exposed: true,
  },
  'X-Tidemark-Simulated': {
    doc: '`true` when the assets are invented and the prices simulated (`serve --demo`); otherwise absent.',
    example: 'true',
    exposed: true,
  },
  'X-Data-Age': {
    doc: 'Seconds since the data was last known to be current, that is, since the store was last asked with success. 0 or 1 unless the store is away.',
    example: '0',
    exposed: true,
  },
  'X-Data-Version': {
    doc: 'Of the publication that the answer is from: larger with each, and never the same twice, also after a restore. Usually its time in milliseconds since 1970.',
    example: '1794813114186',
    exposed: true,
  },
  'X-Limit-Applied': {
    doc: "Rows a page of this answer: the `limit` asked for, or the maximum of the key's tier.",
    example: '100',
    exposed: true,
  },
  Link: {
    doc: 'The next and the previous page (RFC 8288), as far as there are any. If both would be longer than 6,800 characters, only the next one.',
    example: '<http://127.0.0.1:8080/v1/crypto/ta-cur?limit=2&sort=price&order=desc&page=2>; rel="next"',
    exposed: true,
  },
  ETag: {
    doc: 'Names this version of the answer; send it as `If-None-Match`. Weak, because the times in the envelope differ.',
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
    exposed: true,
  },
  'Server-Timing': {
    doc: 'Milliseconds spent: `data` on the rows, `meta` on the metadata, `total` on all of it.',
    example: 'data;dur=0.21, meta;dur=0, total;dur=0.34',
    exposed: true,
  },
  'Cache-Control': {
    doc: 'How long the answer may be kept. Errors are never kept.',
    example: 'private, max-age=2',
    exposed: false,
  },
  Vary: {
    doc: 'The request headers on which the answer depends.',
    example: 'Accept, Accept-Encoding, Authorization, X-API-Key',
    exposed: false,
  },
  'Content-Disposition': {
    doc: 'The file name of a CSV answer.',
    example: 'attachment; filename="crypto-ta-cur-page-1.csv"',
    exposed: false,
  },
  'Content-Encoding': {
    doc: 'The compression, when `Accept-Encoding` asked for one and the answer is long enough: `zstd`, `br` or `gzip`.',
    example: 'gzip',
    exposed: false,
  },
  'RateLimit-Policy': {
    doc: "What the key's tier allows: `rate` (requests at once, and the seconds in which they grow back) and `day`.",
    example: '"rate";q=10;w=5, "day";q=2000;w=86400',
    exposed: true,
  },
  RateLimit: {
    doc: 'What is left of both (`r`), and the seconds until it is whole again (`t`).',
    example: '"rate";r=9;t=1, "day";r=1999;t=3600',
    exposed: true,
  },
  'WWW-Authenticate': {
    doc: 'With 401: how to send a key.',
    example: 'Bearer realm="tidemark"',
    exposed: false,
  },
  'Retry-After': {
    doc: 'Seconds to wait before asking again.',
    example: '5',
    exposed: true,
  },
  Allow: {
    doc: 'The methods that are served: with 405, and in the answer to `OPTIONS`.',
    example: 'GET, HEAD, OPTIONS',
    exposed: false,
  },
  'Content-Security-Policy': {
    doc: 'What a page may load: nothing from another host.',
    example: "default-src 'self'",
    exposed: false,
  },
  'Referrer-Policy': {
    doc: 'What a page tells other sites of its address: nothing.',
    example: 'same-origin',
    exposed: false,
  },
  'Cross-Origin-Opener-Policy': {
    doc: 'Keeps pages of other sites from holding on to a window with a page of the service.',
    example: 'same-origin',
    exposed: false,
  },
  'X-Content-Type-Options': {
    doc: 'Keeps browsers from guessing another content type.',
    example: 'nosniff',
    exposed: false,
  },
  'Access-Control-Allow-Origin': {
    doc: 'Pages of any origin may read the answers.',
    example: '*',
    exposed: false,
  },
  'Access-Control-Expose-Headers': {
    doc: 'The headers that they may read.',
    example: 'ETag, Link',
    exposed: false,
  },
  'Access-Control-Allow-Methods': {
    doc: 'In the answer to `OPTIONS`: the methods that they may use.',
    example: 'GET, HEAD, OPTIONS',
    exposed: false,
  },
  'Access-Control-Allow-Headers': {
    doc: 'In the answer to `OPTIONS`: the headers that they may send.',
    example: 'Authorization, X-API-Key',
    exposed: false,
  },
  'Access-Control-Max-Age': {
    doc: 'In the answer to `OPTIONS`: seconds for which it may be kept.',
    example: '86400',
    exposed: false,
  },
} as const satisfies Readonly<Record<string, ResponseHeaderFacts>>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Headers that a script of another origin may read, for `Access-Control-Expose-Headers`. */
export const EXPOSED_HEADERS: string = Object.entries(RESPONSE_HEADERS)
  .filter(([, { exposed }]) => exposed)
  .map(([name]) => name)
  .join(', ');

/** Headers that a script of another origin may send, for `Access-Control-Allow-Headers`. */
export const ALLOWED_HEADERS: string = Object.keys(REQUEST_HEADERS).join(', ');

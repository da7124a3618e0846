// The table of request and response headers. CORS, OpenAPI and the docs read it.

interface HeaderFacts {
  readonly doc: string;
  /** An example value. */
  readonly example: string;
}

interface ResponseHeaderFacts extends HeaderFacts {
  /** A page of another origin may not read it. */
  readonly hidden?: true;
}

export const REQUEST_HEADERS = {
  Authorization: { doc: 'The API key: `Bearer KEY`, `Token KEY`, or the API key alone.', example: 'Bearer KEY' },
  'X-API-Key': { doc: 'The API key.', example: 'KEY' },
  'x-cg-demo-api-key': { doc: 'The API key, as clients of CoinGecko send it.', example: 'KEY' },
  'x-cg-pro-api-key': { doc: 'The API key, as paying clients of CoinGecko send it.', example: 'KEY' },
  'X-Request-Id': {
    doc: 'Your own id for the request: 1 to 100 letters, digits, `_`, `.`, `:` or `-`. The response repeats it.',
    example: 'my-request-1',
  },
  'If-None-Match': {
    doc: 'The `ETag` of a response that you have. If it is still current, the response is 304 without a body.',
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  Range: {
    doc: 'The bytes of a file to send, one range: `bytes=0-99`, `bytes=100-` or `bytes=-8` (the last 8).',
    example: 'bytes=-8',
  },
  'If-Range': {
    doc: 'The `ETag` of the file that `Range` is of. If it is another one, the response is the whole file.',
    example: '"4uQ"',
  },
  'If-Match': { doc: 'The `ETag` that a file must have; otherwise the response is 412.', example: '"4uQ"' },
  'Last-Event-ID': {
    doc: 'For `events`: the `id` of the last event that you received. The stream continues behind it. Browsers send it by themselves.',
    example: '1794813114186',
  },
} as const satisfies Readonly<Record<string, HeaderFacts>>;

export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    doc: 'The id of the request in the logs: yours, or a generated one.',
    example: 'q3ZsX0aB-1f',
  },
  'X-Tidemark-Simulated': {
    doc: '`true` if the assets are invented and the prices simulated (`serve --demo`); otherwise absent.',
    example: 'true',
  },
  'X-Data-Age': {
    doc: 'Seconds since the last successful check that the data is current. 0 or 1 unless the store is unreachable.',
    example: '0',
  },
  'X-Data-Version': {
    doc: 'Version of the publication that the response was made from. It increases with each publication and is never reused, even after a restore. Usually the time in milliseconds since 1970.',
    example: '1794813114186',
  },
  'X-Limit-Applied': {
    doc: "Rows per page of this response: the requested `limit`, or the maximum of the API key's tier. Absent if all rows of one asset come in one page.",
    example: '100',
  },
  Link: {
    doc: 'The next and the previous page (RFC 8288), if there are any. If both would be longer than 6,800 characters, only the next one.',
    example: '<http://127.0.0.1:8080/v1/crypto/ta-cur?limit=2&sort=price&order=desc&page=2>; rel="next"',
  },
  ETag: {
    doc: 'Identifies this version of the response; send it as `If-None-Match`. It is weak where the times in the envelope differ, and strong for a file.',
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  Location: {
    doc: 'With 307: the address of the file of the current version. If the API key came as `api_key`, it has a `signature` that is valid for an hour instead.',
    example: '/v1/crypto/export/ta-cur/1794813114186-2jmj7l5rSw.parquet',
    hidden: true,
  },
  'Accept-Ranges': {
    doc: 'Byte ranges of the file can be requested.',
    example: 'bytes',
  },
  'Content-Range': {
    doc: 'With 206: the bytes in the response, and the size of the file. With 416: the size.',
    example: 'bytes 0-99/48210',
  },
  'Repr-Digest': {
    doc: 'SHA-256 of the whole file (RFC 9530), also in the response to a range.',
    example: 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:',
  },
  'X-Row-Count': {
    doc: 'Rows of the file.',
    example: '4711',
  },
  'Server-Timing': {
    doc: 'Milliseconds spent on the rows (`data`), the metadata (`meta`) and everything (`total`).',
    example: 'data;dur=0.21, meta;dur=0, total;dur=0.34',
  },
  'Cache-Control': {
    doc: 'How long the response may be cached. Errors are not cacheable.',
    example: 'private, max-age=2',
    hidden: true,
  },
  Vary: {
    doc: 'The request headers on which the response depends.',
    example: 'Accept, Accept-Encoding, Authorization, X-API-Key',
    hidden: true,
  },
  'Content-Disposition': {
    doc: 'The file name of a response other than JSON.',
    example: 'attachment; filename="crypto-ta-cur-2026-06-30-page-1.csv"',
    hidden: true,
  },
  'Content-Encoding': {
    doc: 'The compression, if `Accept-Encoding` allows one and the response is long enough: `zstd`, `br` or `gzip`.',
    example: 'gzip',
    hidden: true,
  },
  'X-Accel-Buffering': {
    doc: 'With a stream: tells nginx and similar proxies to pass each event on at once.',
    example: 'no',
    hidden: true,
  },
  'RateLimit-Policy': {
    doc: "The limits of the API key's tier: `rate` (requests at once, and the seconds until all of them are available again) and `day`. Servers that share a store share the rate; the header states the part of this one.",
    example: '"rate";q=10;w=5, "day";q=2000;w=86400',
  },
  RateLimit: {
    doc: 'The remaining requests of both (`r`), and the seconds until the limit is fully available again (`t`).',
    example: '"rate";r=9;t=1, "day";r=1999;t=3600',
  },
  'WWW-Authenticate': {
    doc: 'With 401: how to send an API key.',
    example: 'Bearer realm="tidemark"',
    hidden: true,
  },
  'Retry-After': {
    doc: 'Seconds to wait before the next attempt.',
    example: '5',
  },
  Allow: {
    doc: 'The accepted methods: with 405, and in the response to `OPTIONS`.',
    example: 'GET, HEAD, OPTIONS',
    hidden: true,
  },
  'Content-Security-Policy': {
    doc: 'What a page may load: nothing from another host.',
    example: "default-src 'self'",
    hidden: true,
  },
  'Referrer-Policy': {
    doc: 'Pages do not reveal their address to other sites.',
    example: 'same-origin',
    hidden: true,
  },
  'Cross-Origin-Opener-Policy': {
    doc: 'Isolates the pages of the service from windows of other sites.',
    example: 'same-origin',
    hidden: true,
  },
  'X-Content-Type-Options': {
    doc: 'Prevents browsers from guessing another content type.',
    example: 'nosniff',
    hidden: true,
  },
  'Access-Control-Allow-Origin': {
    doc: 'Pages of any origin may read the responses.',
    example: '*',
    hidden: true,
  },
  'Access-Control-Expose-Headers': {
    doc: 'The headers that pages of other origins may read.',
    example: 'ETag, Link',
    hidden: true,
  },
  'Access-Control-Allow-Methods': {
    doc: 'In the response to `OPTIONS`: the methods that pages of other origins may use.',
    example: 'GET, HEAD, OPTIONS',
    hidden: true,
  },
  'Access-Control-Allow-Headers': {
    doc: 'In the response to `OPTIONS`: the headers that pages of other origins may send.',
    example: 'Authorization, X-API-Key',
    hidden: true,
  },
  'Access-Control-Max-Age': {
    doc: 'In the response to `OPTIONS`: seconds for which it may be cached.',
    example: '86400',
    hidden: true,
  },
} as const satisfies Readonly<Record<string, ResponseHeaderFacts>>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Headers that a script of another origin may read, for `Access-Control-Expose-Headers`. */
export const EXPOSED_HEADERS: string = Object.entries(RESPONSE_HEADERS)
  .filter(([, facts]) => !('hidden' in facts))
  .map(([name]) => name)
  .join(', ');

/** Headers that a script of another origin may send, for `Access-Control-Allow-Headers`. */
export const ALLOWED_HEADERS: string = Object.keys(REQUEST_HEADERS).join(', ');

/** The others that a script may send with a message to `/mcp`. */
export const BODY_HEADERS = 'Accept, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name';

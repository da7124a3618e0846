// Answers that never change while the service runs: made once, compressed once for each encoding, validated by an ETag.

import type { Answer, Handler } from './answer.ts';
import { matches, weakTag } from './conditional.ts';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress, type Encoding } from './encoding.ts';
import { type HeaderLines, headerLines } from './head.ts';

export interface StaticAnswer {
  readonly contentType: string;
  /** Asked once, at the first request. */
  readonly body: () => Buffer | Promise<Buffer>;
  readonly headers?: HeaderLines;
  readonly cacheControl?: string;
}

/** Long enough for a visit, short enough that an update of the service is seen the same hour. */
const KEEP_FOR_A_VISIT = 'public, max-age=600';

/** Of a page that a browser shows. That it is asked for by HTTPS only is for the proxy to say, which has the certificate. */
export function pageHeaders(contentSecurityPolicy: string): HeaderLines {
  return headerLines(
    'content-security-policy',
    contentSecurityPolicy,
    'referrer-policy',
    'same-origin',
    'cross-origin-opener-policy',
    'same-origin',
  );
}

export function staticHandler({
  contentType,
  body,
  headers = '',
  cacheControl = KEEP_FOR_A_VISIT,
}: StaticAnswer): Handler {
  const encoded = new Map<Encoding, Promise<Buffer>>();
  const made = once(async () => {
    const bytes = await body();
    return { bytes, tag: weakTag(bytes.toString('latin1')), compressible: bytes.length >= COMPRESS_FROM_BYTES };
  });

  return async (ask): Promise<Answer> => {
    const { bytes, tag, compressible } = await made();
    const validity = headers + headerLines('etag', tag, 'cache-control', cacheControl, 'vary', 'Accept-Encoding');
    if (matches(ask.headers['if-none-match'], tag)) return { status: 304, headers: validity, body: null };
    const described = validity + headerLines('content-type', contentType);
    const encoding = compressible ? chooseEncoding(ask.headers['accept-encoding']?.toString()) : 'identity';
    if (encoding === 'identity') return { status: 200, headers: described, body: [bytes] };
    const ready = encoded.get(encoding) ?? compress(bytes, encoding);
    encoded.set(encoding, ready);
    return { status: 200, headers: described + headerLines('content-encoding', encoding), body: [await ready] };
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
